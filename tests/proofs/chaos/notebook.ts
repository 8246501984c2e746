//! Records requests and responses of the clients: the figures of a run, and every reported state.
import type { SeenDispute, SeenOrder } from './order.ts';

export interface Notebook {
  /** Every order and dispute in a 2xx response, in the order of the responses. */
  readonly reported: Reported[];
  /** Faults that clients met. */
  readonly wrong: string[];
  /** Milliseconds of each 2xx response, by action. */
  readonly times: Map<string, number[]>;
  readonly refusals: Map<string, number>;
  requests: number;
  /** Requests without a response: the connection was lost or refused. */
  lost: number;
}

export interface Reported {
  /** The action, such as `release` or `look`. */
  readonly by: string;
  readonly order?: SeenOrder;
  readonly dispute?: SeenDispute;
}

export function newNotebook(): Notebook {
  return { reported: [], wrong: [], times: new Map(), refusals: new Map(), requests: 0, lost: 0 };
}

/** Every state in a response is a promise, and is checked at the end. */
export function recordReported(notebook: Notebook, by: string, data: unknown): void {
  if (data === null || typeof data !== 'object') return;
  if ('buyerId' in data) notebook.reported.push({ by, order: data as SeenOrder });
  if ('openedBy' in data) notebook.reported.push({ by, dispute: data as unknown as SeenDispute });
  if ('order' in data) recordReported(notebook, by, data.order);
}

export function count<K>(counts: Map<K, number>, name: K): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

export function recordTime({ times }: Notebook, action: string, ms: number): void {
  const known = times.get(action);
  if (known === undefined) times.set(action, [ms]);
  else known.push(ms);
}
