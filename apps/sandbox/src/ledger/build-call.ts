//! Builds unsigned transactions that call a contract, complete as after a simulation.
import {
  Account,
  Address,
  nativeToScVal,
  Operation,
  SorobanDataBuilder,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk';
import { BASE_FEE, type Network, RESOURCE_FEE } from './network.ts';

export interface CallRequest {
  /** Whose wallet signs: the source of the transaction. */
  readonly source: string;
  readonly contractId: string;
  readonly functionName: string;
  readonly args: readonly xdr.ScVal[];
  /** How long it stays valid, in seconds of ledger time. */
  readonly validSeconds?: number;
}

const VALID_SECONDS = 300;

export function buildCall(
  request: CallRequest,
  sequence: bigint,
  closeTime: number,
  network: Network,
): string {
  const { source, contractId, functionName, args } = request;
  const invocation = new xdr.InvokeContractArgs({
    contractAddress: new Address(contractId).toScAddress(),
    functionName,
    args: [...args],
  });
  const operation = Operation.invokeHostFunction({
    func: xdr.HostFunction.hostFunctionTypeInvokeContract(invocation),
    auth: [authorisedBySource(invocation)],
  });
  return new TransactionBuilder(new Account(source, String(sequence)), {
    fee: String(BASE_FEE),
    networkPassphrase: network.passphrase,
    timebounds: { minTime: 0, maxTime: closeTime + (request.validSeconds ?? VALID_SECONDS) },
  })
    .addOperation(operation)
    .setSorobanData(sorobanDataFor(contractId))
    .build()
    .toXdr();
}

/** The source account's signature under the envelope authorises the call. */
export function authorisedBySource(
  invocation: xdr.InvokeContractArgs,
): xdr.SorobanAuthorizationEntry {
  return new xdr.SorobanAuthorizationEntry({
    credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
    rootInvocation: new xdr.SorobanAuthorizedInvocation({
      function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(invocation),
      subInvocations: [],
    }),
  });
}

export function sorobanDataFor(contractId: string): xdr.SorobanTransactionData {
  const instance = xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: new Address(contractId).toScAddress(),
      key: xdr.ScVal.scvLedgerKeyContractInstance(),
      durability: xdr.ContractDataDurability.persistent,
    }),
  );
  return new SorobanDataBuilder()
    .setResources(1_000_000, 10_000, 10_000)
    .setFootprint([instance], [])
    .setResourceFee(RESOURCE_FEE)
    .build();
}

export function transferCall(
  { usdcContract }: Network,
  from: string,
  to: string,
  stroops: bigint,
): CallRequest {
  const args = [
    nativeToScVal(from, { type: 'address' }),
    nativeToScVal(to, { type: 'address' }),
    nativeToScVal(stroops, { type: 'i128' }),
  ];
  return { source: from, contractId: usdcContract, functionName: 'transfer', args };
}
