//! Looks up credentials that this process has not seen valid lately. Forged ones take few
//! connections from the callers, and an address that sends many of them costs no more queries.
import { refuse } from '@holdfast/contract/errors';
import type { Clock } from '@holdfast/kernel/clock';
import { semaphore } from './semaphore.ts';
import { type WindowCount, WindowCounts } from './window-counts.ts';

const AT_ONCE = 4;
/** From one address, in one window. */
const MISSES_MAX = 100;
const WINDOW_SECONDS = 60;

export class UnseenLookups {
  readonly #clock: Clock;
  readonly #gate = semaphore(AT_ONCE);
  readonly #misses: WindowCounts;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#misses = new WindowCounts(clock, WINDOW_SECONDS * 1000);
  }

  /**
   * Undefined when the lookup finds nothing, and refused when the address has had too many of
   * those. Counted as a miss until it is found, so that many at once are not more than the limit.
   */
  async run<T>(address: string, lookup: () => Promise<T | undefined>): Promise<T | undefined> {
    this.#refuseAfterMisses(address);
    return this.#gate.run(async () => {
      const misses = this.#refuseAfterMisses(address);
      misses.count += 1;
      let isMiss = false;
      try {
        const found = await lookup();
        isMiss = found === undefined;
        return found;
      } finally {
        if (!isMiss) misses.count -= 1;
      }
    });
  }

  #refuseAfterMisses(address: string): WindowCount {
    const misses = this.#misses.of(address);
    if (misses.count < MISSES_MAX) return misses;
    const leftMs = misses.resetAt - this.#clock.now();
    const retryAfter = Math.max(1, Math.ceil(leftMs / 1000));
    return refuse('RATE_LIMITED', { limit: MISSES_MAX, windowSeconds: WINDOW_SECONDS, retryAfter });
  }
}
