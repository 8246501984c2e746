//! Clients that call at a steady rate, independent of the responses, and repeat nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiResponse, call, isGood, responseText } from '../../harness/api.ts';
import type { Person } from '../../harness/people.ts';
import { within } from '../../harness/wait.ts';

export interface CallResult {
  readonly path: string;
  /** Calls that wait for a provider take as long as the provider does. */
  readonly hasProvider: boolean;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly status: number | undefined;
  readonly text: string;
}

export interface Load {
  readonly results: readonly CallResult[];
  /** Takes an api out of use; resolves when none of its calls is open any more. */
  leave(url: string): Promise<void>;
  use(url: string): void;
  stop(): Promise<void>;
}

interface LoadOptions {
  readonly urls: readonly string[];
  readonly apiKey: string;
  readonly buyers: readonly Person[];
  readonly seller: Person;
  /** Acts a second; an act is one to three calls. */
  readonly rate: number;
}

type Send = (path: string, body?: object, hasProvider?: boolean) => Promise<ApiResponse>;
type Act = (send: Send, buyer: string, seller: string) => Promise<unknown>;

/** Every so many acts, one is an order that is canceled, and one an order with an escrow. */
const ORDER_EVERY = 10;
/** The escrow provider allows few calls a minute. */
const ESCROW_EVERY = 250;
const LEAVE_MS_MAX = 40_000;
const AMOUNT = { amount: '0.02' };

const terms = (buyerId: string, sellerId: string) => ({
  ...{ buyerId, sellerId },
  amount: '10.00',
  title: 'A table',
});
const idOf = ({ data }: ApiResponse) => String((data as { id?: string } | undefined)?.id);

/** One call after the other; the first that fails is the last. */
async function inSequence(send: Send, paths: readonly string[], ...more: [object?, boolean?]) {
  for (const path of paths) if (!isGood(await send(path, ...more))) return;
}

const orderWith =
  (steps: readonly string[], hasProvider: boolean): Act =>
  async (send, buyer, seller) => {
    const created = await send('/orders', terms(buyer, seller));
    if (!isGood(created)) return;
    const at = `/orders/${idOf(created)}`;
    if (!isGood(await send(`${at}/reserve`))) return;
    await inSequence(
      send,
      steps.map((step) => `${at}/${step}`),
      {},
      hasProvider,
    );
  };

const ACTS: readonly Act[] = [
  (send, buyer) => send(`/users/${buyer}/balance/credit`, AMOUNT),
  (send, buyer) =>
    inSequence(
      send,
      ['reserve', 'release'].map((step) => `/users/${buyer}/balance/${step}`),
      AMOUNT,
    ),
];

const canceledOrder = orderWith(['cancel'], false);
const escrowOrder = orderWith(['escrow', 'escrow/fund', 'resolution/release'], true);

/** Orders are executed by the workers: they are few, or two cores would be full of them. */
function actAt(at: number): Act {
  if (at % ESCROW_EVERY === 0) return escrowOrder;
  if (at % ORDER_EVERY === 0) return canceledOrder;
  return ACTS[at % ACTS.length] as Act;
}

export function startLoad({ urls, apiKey, buyers, seller, rate }: LoadOptions): Load {
  const used = new Set(urls);
  const open = new Map(urls.map((url) => [url, 0]));
  const results: CallResult[] = [];
  const running = new Set<Promise<unknown>>();
  let calls = 0;
  let isOver = false;

  const send: Send = async (path, body = {}, hasProvider = false) => {
    const candidates = [...used];
    calls += 1;
    const api = candidates[calls % candidates.length] as string;
    const startedAt = performance.now();
    open.set(api, (open.get(api) ?? 0) + 1);
    const response = await call({ api, apiKey }, { path, body });
    open.set(api, (open.get(api) ?? 0) - 1);
    const { status, reason = '' } = response;
    const result = `${responseText(response)} ${reason}`.trimEnd();
    const text = `${path.replaceAll(/\/\w+_\w+/g, '/…')}: ${result}`;
    results.push({ path, hasProvider, startedAt, endedAt: performance.now(), status, text });
    return response;
  };
  const tick = async () => {
    const startedAt = performance.now();
    for (let at = 0; !isOver; at += 1) {
      const one = actAt(at)(send, (buyers[at % buyers.length] as Person).id, seller.id);
      running.add(one);
      void one.finally(() => running.delete(one));
      await sleep(Math.max(0, startedAt + ((at + 1) * 1000) / rate - performance.now()));
    }
  };
  const ticking = tick();
  return {
    results,
    use: (url) => void used.add(url),
    leave: async (url) => {
      used.delete(url);
      if (!(await within(LEAVE_MS_MAX, () => open.get(url) === 0, 10)))
        throw new Error(`calls of ${url} are still open after ${LEAVE_MS_MAX / 1000} s`);
    },
    stop: async () => {
      isOver = true;
      await ticking;
      await Promise.all(running);
    },
  };
}
