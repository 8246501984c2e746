//! The writers of the proof: each repeats one kind of call, at one api process after another.
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiResponse, call, dataOf, isGood, type Post } from '../../harness/api.ts';
import { inLanes } from '../../harness/lanes.ts';
import { createPerson, type Person } from '../../harness/people.ts';

export const KINDS = ['balance', 'withdrawal', 'order'] as const;
export type Kind = (typeof KINDS)[number];

export interface Call {
  readonly kind: Kind;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly isDone: boolean;
  readonly code: string | undefined;
}

export interface Writers {
  /** Every call that may be refused, in the order of their ends. */
  readonly calls: readonly Call[];
  /** Of these, the ones that ended since. */
  since(at: number): readonly Call[];
  stop(): Promise<void>;
}

interface Target {
  readonly urls: readonly string[];
  readonly apiKey: string;
  readonly post: Post;
}

const FUNDS = '1000000.00';
const PEOPLE_LANES = 4;
/** What a client does after a refusal; it leaves a small machine room for the stop itself. */
const PAUSE_MS = 20;

export async function startWriters(target: Target, count: number): Promise<Writers> {
  const { post } = target;
  const numbers = Array.from({ length: count }, (_, at) => at);
  const seller = await createPerson(post);
  const people = await inLanes(numbers, PEOPLE_LANES, () => createPerson(post, { credit: FUNDS }));
  const calls: Call[] = [];
  let isOver = false;
  const running = numbers.map(async (at) => {
    const kind = KINDS[at % KINDS.length] as Kind;
    for (let round = 0; !isOver; round += 1) {
      const send = sender(target, at + round);
      const isRefused = !(await ACTS[kind](
        people[at] as Person,
        seller,
        recorded(send, kind, calls),
      ));
      if (isRefused) await sleep(PAUSE_MS);
    }
  });
  return {
    calls,
    since: (at) => calls.filter(({ endedAt }) => endedAt > at),
    stop: async () => {
      isOver = true;
      await Promise.all(running);
    },
  };
}

type Send = (path: string, body?: object) => Promise<ApiResponse>;

function sender({ urls, apiKey }: Target, at: number): Send {
  const api = urls[at % urls.length] as string;
  return (path, body = {}) => call({ api, apiKey }, { path, body });
}

/** Sends a call that a stop may refuse, and one that none does. */
interface Recorded {
  readonly send: Send;
  readonly free: Send;
}

function recorded(send: Send, kind: Kind, calls: Call[]): Recorded {
  return {
    free: send,
    send: async (path, body) => {
      const startedAt = performance.now();
      const response = await send(path, body);
      const { code } = response;
      calls.push({ kind, startedAt, endedAt: performance.now(), isDone: isGood(response), code });
      return response;
    },
  };
}

type Act = (person: Person, seller: Person, calls: Recorded) => Promise<boolean>;

/** Returns whether everything was done. */
const ACTS: Readonly<Record<Kind, Act>> = {
  balance: async ({ id }, _, { send }) => {
    const at = `/users/${id}/balance`;
    const amount = { amount: '0.02' };
    for (const step of ['credit', 'reserve', 'release', 'debit'])
      if (!isGood(await send(`${at}/${step}`, amount))) return false;
    return true;
  },
  withdrawal: async ({ id: userId, email }, _, { send }) => {
    const destination = { type: 'payment_account', ref: email };
    const input = { userId, amount: '10.00', currency: 'USD', destination };
    const created = await send('/withdrawals', input);
    if (!isGood(created)) return false;
    const { id } = dataOf<{ id: string }>('/withdrawals', created);
    return isGood(await send(`/withdrawals/${id}/commit`));
  },
  order: async ({ id: buyerId }, { id: sellerId }, { send, free }) => {
    const terms = { buyerId, sellerId, amount: '10.00', title: 'A table' };
    const { id } = dataOf<{ id: string }>('/orders', await free('/orders', terms));
    if (!isGood(await send(`/orders/${id}/reserve`))) return false;
    return isGood(await send(`/orders/${id}/cancel`));
  },
};
