//! A transaction as the ledger network shows it.
import type { Instant } from '@holdfast/kernel/clock';

/** A transaction that an account took part in: as its source, as its payer of the fee, or in it. */
export interface NetworkTransaction {
  readonly cursor: string;
  readonly hash: string;
  /** Of the transaction inside a fee bump, whose source and number these are. */
  readonly innerHash: string | null;
  readonly source: string;
  readonly sequence: bigint;
  readonly isApplied: boolean;
  readonly at: Instant;
  /** Unix seconds; undefined when it was valid for ever. */
  readonly maxTime: bigint | undefined;
  readonly memo: string | null;
  readonly xdr: string;
  readonly resultXdr: string | undefined;
}
