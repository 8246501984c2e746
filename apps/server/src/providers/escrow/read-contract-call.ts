//! Reads which contract a transaction called, and how. For transactions found on the network: those
//! that are to be signed are compared in every part instead.
import { Address } from '@stellar/stellar-sdk/base';
import { contractIdOf, innermost, invocationOf } from '../signing/transaction-policy.ts';
import { wholeOf } from './contract-value.ts';

export interface ContractCall {
  /** The contract; for a deployment the new one. */
  readonly contractId: string;
  readonly functionName: string;
  /** The first number that it names: of a milestone, in calls about one. */
  readonly index: bigint | null;
  readonly isDeployment: boolean;
  /** The order that a deployment is for, as its terms name it. */
  readonly orderId: string | null;
}

const ORDER_ID = /ord_[0-9a-hjkmnp-tv-z]{20,32}/;

/** Undefined for a transaction that calls no contract. */
export function readContractCall(xdr: string, passphrase: string): ContractCall | undefined {
  const [operation] = innermost(xdr)?.operations ?? [];
  const invocation = operation && invocationOf(operation.body);
  if (invocation === undefined) return undefined;
  const { contractAddress, functionName, args } = invocation.args;
  const deployed = contractIdOf(xdr, passphrase);
  const index = args.map(wholeOf).find((each) => each !== undefined) ?? null;
  return {
    contractId: deployed ?? Address.fromScAddress(contractAddress).toString(),
    functionName: functionName.toString(),
    index,
    isDeployment: deployed !== undefined,
    // Texts of a transaction stand in its bytes as they are.
    orderId: ORDER_ID.exec(Buffer.from(xdr, 'base64').toString('latin1'))?.[0] ?? null,
  };
}
