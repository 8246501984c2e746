//! What becomes of a provider's notice, whichever provider sent it and whatever it is about.
import type { Tx } from '../platform/transact.ts';

export type Verdict =
  | { readonly kind: 'applied' }
  /** It was so before. */
  | { readonly kind: 'superseded'; readonly reason: string }
  /** An operation of ours will find out by itself, or nobody who could tell has answered. */
  | { readonly kind: 'waits'; readonly reason: string }
  /** Not true yet, or not seen yet. */
  | { readonly kind: 'early'; readonly reason: string }
  /** It can't be true. */
  | { readonly kind: 'wrong'; readonly reason: string };

/** Marks the notice in the transaction that makes it true. */
export type Seal = (tx: Tx, as: 'APPLIED' | 'SUPERSEDED') => Promise<void>;
