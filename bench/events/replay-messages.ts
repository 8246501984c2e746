//! What is said between the bench and the reader of a whole log.

export interface ReplayOrder {
  url: string;
  key: string;
  since: string;
  events: number;
}

export interface ReplayReport {
  events: number;
  bytes: number;
  /** Events whose id was not above the one before. */
  disordered: number;
  firstMs: number;
  totalMs: number;
  fault?: string;
}
