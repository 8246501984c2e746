//! Remembers whether a session may still exist. A page cannot read its cookie, and a request
//! without one is refused, which browsers log as an error.
import { machineNow } from '#app/now.ts';

const UNTIL = 'holdfast.session-until';
const AGAIN_MS = 60_000;

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** No secret, and no proof: only the service knows who is there. */
export class SessionHint {
  readonly #store: () => Store;
  readonly #now: () => number;
  #idleMs = 0;
  #writtenAtMs = 0;

  constructor(store: () => Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  isLikely(): boolean {
    const until = this.#store().getItem(UNTIL);
    return until !== null && Date.parse(until) > this.#now();
  }

  /** An operator has signed in: without a read, the session ends after its idle time. */
  start(idleSeconds: number): void {
    this.#idleMs = idleSeconds * 1000;
    this.#writtenAtMs = 0;
    this.prolong();
  }

  /** The service has responded, so the idle time restarts. */
  prolong(): void {
    const now = this.#now();
    if (this.#idleMs === 0 || now - this.#writtenAtMs < AGAIN_MS) return;
    this.#writtenAtMs = now;
    this.#store().setItem(UNTIL, new Date(now + this.#idleMs).toISOString());
  }

  end(): void {
    this.#idleMs = 0;
    this.#store().removeItem(UNTIL);
  }
}

export const sessionHint: SessionHint = new SessionHint(() => window.localStorage, machineNow);
