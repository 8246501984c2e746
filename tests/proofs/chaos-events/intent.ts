//! The intended events: those that must be in the log, each once.
import type { EventName } from '@holdfast/contract/events';

export interface Marketplace {
  /** Its row number in the tables. */
  readonly number: string;
  readonly id: string;
  readonly key: string;
}

/** An event whose transaction was committed, or whose request was acknowledged. */
export interface IntendedEvent {
  readonly marketplaceId: string;
  readonly eventType: EventName;
  /** One per attempt; the event has that of the attempt that succeeded. */
  readonly correlationIds: readonly string[];
  readonly aggregateId?: string;
  /** As JSON. */
  readonly payload?: string;
  /** Events of a line are ordered: each started after the one before it was committed. */
  readonly line: string;
}

/** Shared by all writers and callers. */
export interface Intent {
  readonly marketplaces: readonly Marketplace[];
  readonly events: IntendedEvent[];
  transactions: number;
  rollbacks: number;
  /** Requests that were interrupted and repeated. */
  retries: number;
}
