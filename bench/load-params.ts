//! What the load generator is told and what it answers; shared with the process that starts it.

export interface LoadParams {
  urls: string[];
  key: string;
  /** Balance operations, each request one of these at random. */
  operations: string[];
  /** Each request picks one of these at random. */
  userIds: string[];
  connections: number;
  /** Sent before the measured window, and not counted. */
  leadMs: number;
  windowMs: number;
}

export interface LoadResult {
  /** Answers of 200 within the window. */
  ops: number;
  unanswered: number;
  p50Ms: number;
  p99Ms: number;
  statuses: Record<string, number>;
  firstFault: string | null;
}

export function isLoadParams(value: unknown): value is LoadParams {
  return typeof value === 'object' && value !== null && 'urls' in value && 'userIds' in value;
}

export function isLoadResult(value: unknown): value is LoadResult {
  return typeof value === 'object' && value !== null && 'ops' in value && 'statuses' in value;
}
