//! Contract calls: the USDC token is built in, all others belong to the hosts that know them.
import { Address, nativeToScVal, StrKey, scValToNative, xdr } from '@stellar/stellar-sdk';
import type { Effect } from '../journal.ts';
import { shortAmount } from './amount.ts';
import {
  type ContractCall,
  ContractError,
  type ContractHost,
  type ContractResult,
  type LedgerView,
} from './contract.ts';
import type { Invocation } from './envelope.ts';
import type { Network } from './network.ts';
import { payCredit } from './operations.ts';
import type { Transfer } from './record.ts';
import { OperationFailure } from './results.ts';
import type { Draft } from './state.ts';

export interface CallContext {
  readonly network: Network;
  readonly hosts: readonly ContractHost[];
  readonly draft: Draft;
  readonly closeTime: number;
  readonly source: string;
  readonly txHash: string;
  readonly isSimulation: boolean;
}

export interface CallOutcome extends ContractResult {
  readonly transfers: readonly Transfer[];
}

/** Throws ContractError when the contract says no. */
export function callContract(context: CallContext, invocation: Invocation): CallOutcome {
  const { network, hosts, source, txHash, isSimulation } = context;
  const { contractId, functionName, args, auth } = invocation;
  const isForeign = auth.some(({ credentials }) => !isBySource(credentials));
  if (isForeign) throw new ContractError('only the source account can authorise a call here');
  const transfers: Transfer[] = [];
  const view = viewOf(context, transfers);
  const call = { contractId, functionName, args, source, txHash, view, isSimulation };
  if (contractId === network.usdcContract) return { ...callToken(call, network), transfers };
  const host = hosts.find((each) => each.knows(contractId));
  if (host === undefined) throw new ContractError(`no contract ${contractId} on this ledger`);
  return { ...host.invoke(call), transfers };
}

function isBySource({ type }: xdr.SorobanCredentials): boolean {
  return type === 'sorobanCredentialsSourceAccount';
}

function viewOf({ draft, network, closeTime }: CallContext, transfers: Transfer[]): LedgerView {
  const { usdcKey } = network;
  return {
    closeTime,
    usdcOf: (address) => usdcOf(draft, usdcKey, address),
    hasUsdcTrustline: (address) => draft.account(address)?.lines[usdcKey] !== undefined,
    accountExists: (address) => draft.account(address) !== undefined,
    moveUsdc(from, to, stroops) {
      if (stroops < 0n) throw new ContractError('negative amount is not allowed');
      moveUsdc(draft, usdcKey, from, to, stroops);
      transfers.push({ from, to, asset: usdcKey, stroops });
    },
  };
}

export function usdcOf(
  reads: Pick<Draft, 'account' | 'token'>,
  usdcKey: string,
  address: string,
): bigint {
  if (StrKey.isValidContract(address)) return reads.token(address);
  return reads.account(address)?.lines[usdcKey]?.balance ?? 0n;
}

const SENTENCES: Readonly<Record<string, string>> = {
  paymentNoTrust: 'trustline entry is missing for the receiver',
  paymentSrcNoTrust: 'trustline entry is missing for the sender',
  paymentUnderfunded: 'balance is not sufficient to spend',
  paymentLineFull: 'balance would go above the limit of the trustline',
};

/** Between accounts by their trustlines; a contract's balance is a record of its own. */
function moveUsdc(draft: Draft, usdcKey: string, from: string, to: string, stroops: bigint): void {
  const issuer = usdcKey.slice('USDC:'.length);
  const isContract = { from: StrKey.isValidContract(from), to: StrKey.isValidContract(to) };
  if (isContract.from && draft.token(from) < stroops)
    throw new ContractError('balance is not sufficient to spend');
  if (!isContract.to && draft.account(to) === undefined)
    throw new ContractError('account entry is missing');
  try {
    // The issuer stands in for the side that is no account: it has no trustline to change.
    if (!(isContract.from && isContract.to))
      payCredit(
        draft,
        isContract.from ? issuer : from,
        isContract.to ? issuer : to,
        usdcKey,
        stroops,
      );
  } catch (error) {
    if (!(error instanceof OperationFailure)) throw error;
    throw new ContractError(SENTENCES[error.code] ?? error.code);
  }
  if (isContract.from) draft.putToken(from, draft.token(from) - stroops);
  if (isContract.to) draft.putToken(to, draft.token(to) + stroops);
}

const NOTHING = { changes: [], effects: [] } as const;

function callToken(call: ContractCall, network: Network): ContractResult {
  const { functionName, view } = call;
  switch (functionName) {
    case 'transfer':
      return transferToken(call);
    case 'balance': {
      const stroops = view.usdcOf(readAddress(call.args[0]));
      return { ...NOTHING, returnValue: nativeToScVal(stroops, { type: 'i128' }) };
    }
    case 'decimals':
      return { ...NOTHING, returnValue: xdr.ScVal.scvU32(7) };
    case 'symbol':
      return { ...NOTHING, returnValue: xdr.ScVal.scvString('USDC') };
    case 'name':
      return { ...NOTHING, returnValue: xdr.ScVal.scvString(network.usdcKey) };
    default:
      throw new ContractError(`the token has no function ${functionName}`);
  }
}

function transferToken({ args, source, txHash, view }: ContractCall): ContractResult {
  const from = readAddress(args[0]);
  const to = readAddress(args[1]);
  const stroops = args[2]?.type === 'scvI128' ? (scValToNative(args[2]) as bigint) : -1n;
  if (from !== source) throw new ContractError('only its holder can send USDC');
  view.moveUsdc(from, to, stroops);
  const effect: Effect = {
    effect: 'ledger.payment',
    txHash,
    from,
    to,
    asset: 'USDC',
    amount: shortAmount(stroops),
  };
  return { returnValue: xdr.ScVal.scvVoid(), changes: [], effects: [effect] };
}

function readAddress(value: xdr.ScVal | undefined): string {
  if (value?.type !== 'scvAddress') throw new ContractError('an address is missing');
  return Address.fromScVal(value).toString();
}
