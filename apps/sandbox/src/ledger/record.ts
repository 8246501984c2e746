//! The ledger's record of an included transaction.
import type { ResultCodes } from './results.ts';

/** USDC or another asset going from one address to another. */
export interface Transfer {
  readonly from: string;
  readonly to: string;
  /** `native`, or CODE:ISSUER. */
  readonly asset: string;
  readonly stroops: bigint;
}

interface MovementHead {
  /** Which operation of its transaction. */
  readonly index: number;
  readonly source: string;
}

/** An operation that moved money: what Horizon lists under `payments`. */
export type Movement = MovementHead &
  (
    | ({
        readonly type: 'payment';
        readonly toMuxed?: string;
        readonly toMuxedId?: string;
      } & Transfer)
    | { readonly type: 'create_account'; readonly account: string; readonly stroops: bigint }
    | { readonly type: 'account_merge'; readonly into: string; readonly stroops: bigint }
    | {
        readonly type: 'invoke_host_function';
        /** Base64 of contract, function name and arguments. */
        readonly parameters: readonly string[];
        readonly transfers: readonly Transfer[];
      }
  );

/** Topics and data are base64. */
export interface EventRecord {
  readonly contractId: string;
  readonly topics: readonly string[];
  readonly data: string;
}

export interface TransactionRecord {
  readonly hash: string;
  /** Set on a fee bump: the hash of what it carries. */
  readonly innerHash?: string;
  readonly ledger: number;
  /** Seconds since 1970. */
  readonly closeTime: number;
  readonly isSuccessful: boolean;
  readonly source: string;
  readonly feeSource: string;
  readonly sequence: bigint;
  readonly feeCharged: bigint;
  readonly maxFee: bigint;
  readonly innerMaxFee?: bigint;
  readonly operationCount: number;
  readonly memo: { readonly type: string; readonly value?: string };
  readonly signatures: readonly string[];
  readonly innerSignatures?: readonly string[];
  readonly timeBounds?: { readonly min: string; readonly max: string };
  readonly envelopeXdr: string;
  readonly resultXdr: string;
  readonly codes: ResultCodes;
  readonly movements: readonly Movement[];
  /** Everybody whom it touched. */
  readonly participants: readonly string[];
  readonly call?: { readonly contractId: string; readonly functionName: string };
  /** Base64 of what the contract returned. */
  readonly returnValue?: string;
  readonly events: readonly EventRecord[];
  /** Why it failed: the contract's own sentence, or the code of the operation. */
  readonly reason?: string;
}

/** The order of things, as Horizon and RPC number it; a ledger has one transaction here. */
export function transactionToken(ledger: number): string {
  return String((BigInt(ledger) << 32n) | (1n << 12n));
}

export function operationToken(ledger: number, index: number): string {
  return String((BigInt(ledger) << 32n) | (1n << 12n) | BigInt(index + 1));
}

export function participantsOf(movement: Movement): string[] {
  switch (movement.type) {
    case 'payment':
      return [movement.source, movement.from, movement.to];
    case 'create_account':
      return [movement.source, movement.account];
    case 'account_merge':
      return [movement.source, movement.into];
    case 'invoke_host_function':
      return [movement.source, ...movement.transfers.flatMap(({ from, to }) => [from, to])];
  }
}
