//! The interface between the ledger and its contracts.
import type { xdr } from '@stellar/stellar-sdk';
import type { Effect } from '../journal.ts';
import type { Change } from '../store.ts';

/** Fails the transaction that called; the sentence is the contract's own. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
}

/** The ledger as one transaction sees it: nothing is kept unless the whole transaction succeeds. */
export interface LedgerView {
  /** Ledger close time, in seconds. */
  readonly closeTime: number;
  /** Stroops of USDC held by an account (G…) or a contract (C…). */
  usdcOf(address: string): bigint;
  hasUsdcTrustline(address: string): boolean;
  accountExists(address: string): boolean;
  /** Moves USDC between accounts and contracts; throws ContractError when it can't. */
  moveUsdc(from: string, to: string, stroops: bigint): void;
}

export interface ContractCall {
  readonly contractId: string;
  readonly functionName: string;
  readonly args: readonly xdr.ScVal[];
  /** The one address that has authorised the call: the source of the operation. */
  readonly source: string;
  readonly txHash: string;
  readonly view: LedgerView;
  /** True while simulating: nothing will be kept. */
  readonly isSimulation: boolean;
}

export interface ContractResult {
  readonly returnValue: xdr.ScVal;
  /** Records to keep with the transaction. */
  readonly changes: readonly Change[];
  readonly effects: readonly Effect[];
  /** Topics and data, for getEvents. */
  readonly events?: readonly {
    contractId: string;
    topics: readonly xdr.ScVal[];
    data: xdr.ScVal;
  }[];
}

/** Runs the contracts that it knows. */
export interface ContractHost {
  knows(contractId: string): boolean;
  invoke(call: ContractCall): ContractResult;
  /** Which fault operation of provider `escrow` the call is: deploy, fund, status, approve, … */
  operationOf(functionName: string): string | undefined;
}

/** Passed to listeners after a transaction was applied, in order. */
export interface AppliedTransaction {
  readonly hash: string;
  readonly innerHash: string | undefined;
  readonly ledger: number;
  readonly closeTime: number;
  readonly isSuccessful: boolean;
  /** Set when it called a contract. */
  readonly call:
    | { contractId: string; functionName: string; effects: readonly Effect[] }
    | undefined;
}
