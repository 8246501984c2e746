//! A request that has been answered, as far as the log of requests tells of it.
import type { Instant } from '@holdfast/kernel/clock';
import type { RowNumber } from './database.ts';

export interface AnsweredRequest {
  readonly marketplace: RowNumber;
  /** When it was answered. */
  readonly at: Instant;
  readonly method: string;
  /** As the contract writes it. */
  readonly route: string;
  /** Without its query, which may hold personal data. */
  readonly path: string;
  readonly status: number;
  readonly latencyMs: number;
  readonly actorId: string;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  readonly isReplay: boolean;
  readonly errorCode: string | null;
}

/** Where answered requests go: at once, and without a promise. */
export interface RequestNotes {
  note(answered: AnsweredRequest): void;
}
