//! The one event stream of this tab: it keeps the latest events and says what to read anew.
import { type Holdfast, type HoldfastEvent, isHoldfastError } from '@holdfast/sdk';
import { isDeep } from '#app/deep.ts';
import { setClock } from '#app/now.ts';
import { queryClient, type Topic } from '#app/queries.ts';
import { ReadAnew } from '#app/read-anew.ts';
import { Throttle } from '#app/throttle.ts';
import { idsIn } from '#app/touched.ts';

/** What may look different after an event about this. */
const TOPICS: Readonly<Record<string, readonly Topic[]>> = {
  User: ['User', 'Home'],
  Balance: ['User', 'Ledger'],
  TopUp: ['TopUp', 'User', 'Home', 'Ledger', 'Operation'],
  Order: ['Order', 'Home', 'Operation', 'Ledger'],
  Escrow: ['Order', 'Operation'],
  Dispute: ['Dispute', 'Order', 'Home', 'Approval'],
  Withdrawal: ['Withdrawal', 'User', 'Home', 'Operation', 'Ledger', 'Approval'],
  WebhookEndpoint: ['WebhookEndpoint', 'Home'],
};
const NOTIFY_GAP_MS = 250;
const KEPT_EVENTS = 500;
/** Until a stream that could not begin is begun again. */
const AGAIN_MS = 5_000;
/** Nobody is signed in, the role does not allow it, or the marketplace is not theirs any more. */
const FINAL: readonly unknown[] = [401, 403, 404];

export type LiveState = 'connecting' | 'live' | 'lost';

function readAllAnew(): void {
  void queryClient.invalidateQueries({ predicate: (query) => !isDeep(query) });
}

/** Begins with `start`, ends with its signal; whoever shows it subscribes. */
export class LiveStream {
  #state: LiveState = 'connecting';
  #events: readonly HoldfastEvent[] = [];
  #arrived: HoldfastEvent[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #readAnew = new ReadAnew(queryClient);
  readonly #notices = new Throttle<'changed'>(
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

  /** The stream connects again by itself; where it cannot even begin, it is begun again. */
  async start(holdfast: Holdfast, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        const from = await holdfast.events.now({ signal });
        setClock(from);
        // Between two attempts nobody told what changed.
        if (attempt > 1) readAllAnew();
        await this.#follow(holdfast, from, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#become('lost');
        if (isFinal(error)) return;
      }
      await pause(AGAIN_MS, signal);
    }
  }

  async #follow(holdfast: Holdfast, from: string, signal: AbortSignal): Promise<void> {
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
    this.#notices.mark('changed');
    const ids = idsIn(event);
    for (const topic of TOPICS[event.aggregateType] ?? []) this.#readAnew.touch(topic, ids);
  }

  #become(state: LiveState): void {
    this.#state = state;
    this.#notices.mark('changed');
  }

  #notify(): void {
    if (this.#arrived.length > 0) {
      this.#events = [...this.#arrived.reverse(), ...this.#events].slice(0, KEPT_EVENTS);
      this.#arrived = [];
    }
    for (const listener of this.#listeners) listener();
  }
}

/** What another attempt cannot mend, such as a session that ended; queries tell of that. */
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
