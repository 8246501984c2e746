//! A write whose response was sent: what a database that was set back may no longer have.
import type { Instant } from '@holdfast/kernel/clock';

export interface AcknowledgedWrite {
  /** Where the database would have it: see `CommittedWrite`. */
  readonly id: string;
  /** The request that made it, or that a repeated one repeats. */
  readonly requestId: string;
  /** Of its Idempotency-Key: a request that was repeated under it is not lost. */
  readonly idempotencyScope: string | null;
  readonly at: Instant;
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly status: number;
  readonly actorId: string;
  /** What was created or changed, as the response names it. */
  readonly resourceId: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
}

/** Receives acknowledged writes: immediately, before the response is sent. */
export interface WriteLog {
  record(write: AcknowledgedWrite): void;
}
