//! Counts per name and window, in bounded memory and without a sweep: two generations, of which the
//! older one is dropped when all of its windows are over.
import type { Clock, Instant } from '@holdfast/kernel/clock';

export interface WindowCount {
  count: number;
  readonly resetAt: Instant;
}

const NAMES_MAX = 100_000;
/** The name of all names that find no room. */
const OTHERS = '';

export class WindowCounts {
  readonly #clock: Clock;
  readonly #windowMs: number;
  readonly #namesMax: number;
  #newer = new Map<string, WindowCount>();
  #older = new Map<string, WindowCount>();
  #swapAt: Instant;

  /** `namesMax` bounds one generation. */
  constructor(clock: Clock, windowMs: number, namesMax: number = NAMES_MAX) {
    this.#clock = clock;
    this.#windowMs = windowMs;
    this.#namesMax = namesMax;
    this.#swapAt = clock.now() + windowMs;
  }

  /** Of the window that the name is in, which starts with its first call. */
  of(name: string): WindowCount {
    const now = this.#clock.now();
    if (now >= this.#swapAt) this.#swap(now);
    const known = this.#current(name, now);
    if (known !== undefined) return known;
    if (this.#newer.size < this.#namesMax) return this.#open(name, now);
    return this.#current(OTHERS, now) ?? this.#open(OTHERS, now);
  }

  #current(name: string, now: Instant): WindowCount | undefined {
    const known = this.#newer.get(name) ?? this.#older.get(name);
    return known !== undefined && known.resetAt > now ? known : undefined;
  }

  #open(name: string, now: Instant): WindowCount {
    const opened = { count: 0, resetAt: now + this.#windowMs };
    this.#newer.set(name, opened);
    return opened;
  }

  /** A window of the older generation was opened before the last swap: it is over by now. */
  #swap(now: Instant): void {
    const isLate = now >= this.#swapAt + this.#windowMs;
    this.#older = isLate ? new Map() : this.#newer;
    this.#newer = new Map();
    this.#swapAt = now + this.#windowMs;
  }
}
