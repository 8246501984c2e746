//! A throttle: collects marks and passes each name on at most once per gap.

export interface Timers {
  now(): number;
  later(run: () => void, ms: number): unknown;
}

const pageTimers: Timers = {
  now: () => performance.now(),
  later: (run, ms) => setTimeout(run, ms),
};

/**
 * The first mark of a name is handed on at the next turn, later ones when its gap is over: two
 * hundred events in a second are one refresh.
 */
export class Throttle<Name> {
  readonly #gapOf: (name: Name) => number;
  readonly #handOn: (name: Name) => void;
  readonly #timers: Timers;
  readonly #marked = new Set<Name>();
  readonly #lastAt = new Map<Name, number>();

  constructor(
    gapOf: (name: Name) => number,
    handOn: (name: Name) => void,
    timers: Timers = pageTimers,
  ) {
    this.#gapOf = gapOf;
    this.#handOn = handOn;
    this.#timers = timers;
  }

  mark(name: Name): void {
    if (this.#marked.has(name)) return;
    this.#marked.add(name);
    this.#timers.later(() => this.#pass(name), this.#waitOf(name));
  }

  #pass(name: Name): void {
    this.#marked.delete(name);
    this.#lastAt.set(name, this.#timers.now());
    this.#handOn(name);
  }

  #waitOf(name: Name): number {
    const last = this.#lastAt.get(name);
    return last === undefined ? 0 : Math.max(0, last + this.#gapOf(name) - this.#timers.now());
  }
}
