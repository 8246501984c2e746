//! The one event stream of this tab: keeps the latest events and refreshes what they touch.
import { type Holdfast, type HoldfastEvent, isHoldfastError } from '@holdfast/sdk';
import { isDeep } from '#app/deep.ts';
import { setClock } from '#app/now.ts';
import { queryClient, type Topic } from '#app/queries.ts';
import { ReadAnew } from '#app/read-anew.ts';
import { Throttle } from '#app/throttle.ts';
import { idsIn } from '#app/touched.ts';

/** The topics that an event about this aggregate type can change. */
const TOPICS: Readonly<Record<string, readonly Topic[]>> = {
  User: ['User', 'Home'],
  Balance: ['User', 'Ledger'],
  TopUp: ['TopUp', 'User', 'Home', 'Ledger', 'Operation'],
  Order: ['Order', 'Home', 'Operation', 'Ledger'],
  Escrow: ['Order', 'Operation'],
  Dispute: ['Dispute', 'Order', 'Home', 'Approval'],
  Withdrawal: ['Withdrawal', 'User', 'Home', 'Operation', 'Ledger', 'Approval'],
  WebhookEndpoint: ['WebhookEndpoint', 'Home'],
  Marketplace: ['Marketplace', 'Audit'],
};
const NOTIFY_GAP_MS = 250;
const EVENTS_MAX = 500;
/** The pause before a stream that could not start is started again. */
const AGAIN_MS = 5_000;
/** No session, a role that does not allow it, or a marketplace that is no longer theirs. */
const FINAL: readonly unknown[] = [401, 403, 404];

/** Ended: lost for good, as far as this page goes. */
export type LiveState = 'connecting' | 'live' | 'lost' | 'ended';

function readAllAnew(): void {
  void queryClient.invalidateQueries({ predicate: (query) => !isDeep(query) });
}

/** Starts with `start`, ends with its signal; components that show it subscribe. */
export class LiveStream {
  #state: LiveState = 'connecting';
  #events: readonly HoldfastEvent[] = [];
  #arrived: HoldfastEvent[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #readAnew = new ReadAnew(queryClient);
  readonly #notifications = new Throttle<'changed'>(
    () => NOTIFY_GAP_MS,
    () => this.#notify(),
  );

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly state = (): LiveState => this.#state;
  /** The latest events, newest first. */
  readonly events = (): readonly HoldfastEvent[] => this.#events;

  /** The stream reconnects by itself; where it cannot even start, it is started again. */
  async start(holdfast: Holdfast, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        const from = await holdfast.events.now({ signal });
        setClock(from);
        // Changes between two attempts sent no event here.
        if (attempt > 1) readAllAnew();
        await this.#consume(holdfast, from, signal);
      } catch (error) {
        if (signal.aborted) return;
        const isEnd = isFinal(error);
        this.#become(isEnd ? 'ended' : 'lost');
        if (isEnd) return;
      }
      await pause(AGAIN_MS, signal);
    }
  }

  async #consume(holdfast: Holdfast, from: string, signal: AbortSignal): Promise<void> {
    const stream = holdfast.events.stream({
      from,
      signal,
      onReset: readAllAnew,
      onConnect: () => this.#become('live'),
      onDisconnect: () => this.#become('lost'),
    });
    for await (const event of stream) this.#take(event);
  }

  #take(event: HoldfastEvent): void {
    this.#arrived.push(event);
    this.#notifications.mark('changed');
    const ids = idsIn(event);
    for (const topic of TOPICS[event.aggregateType] ?? []) this.#readAnew.touch(topic, ids);
  }

  #become(state: LiveState): void {
    this.#state = state;
    this.#notifications.mark('changed');
  }

  #notify(): void {
    if (this.#arrived.length > 0) {
      this.#events = [...this.#arrived.reverse(), ...this.#events].slice(0, EVENTS_MAX);
      this.#arrived = [];
    }
    for (const listener of this.#listeners) listener();
  }
}

/** Errors that another attempt cannot mend, such as an ended session; queries report those. */
function isFinal(error: unknown): boolean {
  return isHoldfastError(error) && FINAL.includes(error.status);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
