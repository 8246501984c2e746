//! Wakes waiters in this process after an event. Only a hint, never the record: each waiter also
//! polls after a while.
export class Waker {
  readonly #waiting = new Set<() => void>();
  #count = 0;

  /**
   * Grows with every call: a waiter that compares it misses no call that came while it was busy.
   */
  get count(): number {
    return this.#count;
  }

  wake(): void {
    this.#count += 1;
    for (const end of [...this.#waiting]) end();
  }

  /** Waits for the next call, at most this long, or until aborted. */
  wait(msMax: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, msMax);
      signal.addEventListener('abort', end);
      this.#waiting.add(end);
      if (signal.aborted) end();
    });
  }
}
