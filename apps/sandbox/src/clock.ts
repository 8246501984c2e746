//! One clock for the whole sandbox. It can be set forward, never back.
import type { Store } from './store.ts';

export class WorldClock {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Milliseconds since 1970, as the world sees it. */
  now(): number {
    return Date.now() + this.offsetMs;
  }

  get offsetMs(): number {
    return this.#store.get<number>('clock', 'offsetMs') ?? 0;
  }

  advance(seconds: number): void {
    this.#store.put('clock', 'offsetMs', this.offsetMs + seconds * 1000);
  }

  text(): string {
    return new Date(this.now()).toISOString();
  }
}
