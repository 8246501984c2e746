//! What the clients asked and were told: the figures of a run, and every promise in it.
import type { SeenDispute, SeenOrder } from './order.ts';

export interface Notebook {
  /** Every order and dispute that an answer with 2xx showed, in the order of the answers. */
  readonly told: Told[];
  /** What a client met that it must not meet. */
  readonly wrong: string[];
  /** Milliseconds of each answer with 2xx, by deed. */
  readonly times: Map<string, number[]>;
  readonly refusals: Map<string, number>;
  requests: number;
  /** No answer came: the connection was lost, or nobody listened. */
  lost: number;
}

export interface Told {
  /** The deed, such as `release` or `look`. */
  readonly by: string;
  readonly order?: SeenOrder;
  readonly dispute?: SeenDispute;
}

export function newNotebook(): Notebook {
  return { told: [], wrong: [], times: new Map(), refusals: new Map(), requests: 0, lost: 0 };
}

/** Whatever an answer shows is a promise. */
export function noteTold({ told }: Notebook, by: string, data: unknown): void {
  if (data === null || typeof data !== 'object') return;
  if ('buyerId' in data) told.push({ by, order: data as SeenOrder });
  if ('openedBy' in data) told.push({ by, dispute: data as unknown as SeenDispute });
  if ('order' in data) noteTold({ told } as Notebook, by, data.order);
}

export function count<K>(counts: Map<K, number>, name: K): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

export function noteTime({ times }: Notebook, deed: string, ms: number): void {
  const known = times.get(deed);
  if (known === undefined) times.set(deed, [ms]);
  else known.push(ms);
}
