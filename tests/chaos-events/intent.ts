//! What was meant to happen: the events that must be in the log, each once.
import type { EventName } from '@holdfast/contract/events';

export interface Marketplace {
  /** Its number in the tables. */
  readonly number: string;
  readonly id: string;
  readonly key: string;
}

/** An event whose transaction was committed, or whose request was acknowledged. */
export interface IntendedEvent {
  readonly marketplaceId: string;
  readonly eventType: EventName;
  /** One per try; the event carries the one that came through. */
  readonly correlationIds: readonly string[];
  readonly aggregateId?: string;
  /** As JSON. */
  readonly payload?: string;
  /** Whose events come in their order: each began after the one before it had been committed. */
  readonly line: string;
}

/** What all who write share. */
export interface Intent {
  readonly marketplaces: readonly Marketplace[];
  readonly events: IntendedEvent[];
  transactions: number;
  rollbacks: number;
  /** Requests that were interrupted and asked again. */
  retries: number;
}
