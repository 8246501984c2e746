//! Tells those who wait in this process that something has happened. A hint, never the record: each
//! of them also looks by itself after a while.
export class Waker {
  readonly #waiting = new Set<() => void>();
  #count = 0;

  /** Grows with every call: whoever compares it misses none that came while it was busy. */
  get count(): number {
    return this.#count;
  }

  wake(): void {
    this.#count += 1;
    for (const end of [...this.#waiting]) end();
  }

  /** Until the next call, at most so long, or until it is called off. */
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
