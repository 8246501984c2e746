//! A semaphore for each key: work of one key waits for work of the same key only.
import { type Semaphore, semaphore } from './semaphore.ts';

export interface KeyedSemaphore {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function keyedSemaphore(atOnce: number): KeyedSemaphore {
  const byKey = new Map<string, { readonly gate: Semaphore; users: number }>();
  return {
    async run(key, work) {
      const own = byKey.get(key) ?? { gate: semaphore(atOnce), users: 0 };
      byKey.set(key, own);
      own.users += 1;
      try {
        return await own.gate.run(work);
      } finally {
        own.users -= 1;
        if (own.users === 0) byKey.delete(key);
      }
    },
  };
}
