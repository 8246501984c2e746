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

/** Does the work for every item, for so many at once; the results are in the order of the items. */
export async function mapAtOnce<T, R>(
  atOnce: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const gate = semaphore(atOnce);
  return Promise.all(items.map((item) => gate.run(() => work(item))));
}
