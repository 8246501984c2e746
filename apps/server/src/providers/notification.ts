//! The result of applying a provider's notification, for any provider and subject.
import type { Tx } from '../platform/database/transact.ts';

export type ApplyResult =
  | { readonly kind: 'applied' }
  /** It was applied before. */
  | { readonly kind: 'superseded'; readonly reason: string }
  /** An operation of ours will find out by itself, or no source that knows has replied. */
  | { readonly kind: 'waits'; readonly reason: string }
  /** Not true yet, or not visible yet. */
  | { readonly kind: 'early'; readonly reason: string }
  /** It cannot be true. */
  | { readonly kind: 'wrong'; readonly reason: string };

/** Marks the notification in the transaction that applies it. */
export type MarkNotification = (tx: Tx, as: 'APPLIED' | 'SUPERSEDED') => Promise<void>;
