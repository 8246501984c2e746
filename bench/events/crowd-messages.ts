//! What is said between the bench and its crowd of readers.

export interface CrowdParams {
  url: string;
  /** One key per marketplace; reader number r uses key r modulo their count. */
  keys: string[];
  connections: number;
}

/** What arrived since the last report, in the order of arrival over all readers. */
export interface Deliveries {
  readers: Uint32Array;
  /** The number in each event's mark. */
  numbers: Uint32Array;
  /** Microseconds of the monotonic clock. */
  at: Float64Array;
}

export type CrowdOrder = { open: CrowdParams } | 'report';

export type CrowdReport =
  | 'open'
  | { deliveries: Deliveries; closed: number; bytes: number }
  | { fault: string };

/** Stands before an event's number in its payload; found without parsing anything. */
export const MARK = 'bench-event-';
