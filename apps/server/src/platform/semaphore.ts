//! A semaphore: admits a fixed number at once, and the others in order.

export interface Semaphore {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function semaphore(atOnce: number): Semaphore {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    async run(work) {
      if (running >= atOnce) await new Promise<void>((enter) => waiting.push(enter));
      else running += 1;
      try {
        return await work();
      } finally {
        // The slot passes to the next in the queue, or is freed.
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
