//! A completed request, as the request log records it.
import type { Instant } from '@holdfast/kernel/clock';
import type { RowNumber } from './database/database.ts';

export interface CompletedRequest {
  readonly marketplace: RowNumber;
  /** When the response was sent. */
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
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** Receives completed requests: immediately, and without a delivery guarantee. */
export interface RequestLog {
  record(request: CompletedRequest): void;
}
