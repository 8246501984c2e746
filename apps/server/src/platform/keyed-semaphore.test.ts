import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { keyedSemaphore } from './keyed-semaphore.ts';

it('admits work of one key one by one, and of other keys at once', async () => {
  const gate = keyedSemaphore(1);
  const running = new Map<string, number>();
  const peaks = { a: 0, all: 0 };
  const work = (key: string) =>
    gate.run(key, async () => {
      running.set(key, (running.get(key) ?? 0) + 1);
      peaks.a = Math.max(peaks.a, running.get('a') ?? 0);
      peaks.all = Math.max(
        peaks.all,
        [...running.values()].reduce((sum, each) => sum + each, 0),
      );
      await sleep(5);
      running.set(key, (running.get(key) ?? 0) - 1);
      return key;
    });
  expect(await Promise.all(['a', 'a', 'a', 'b'].map(work))).toEqual(['a', 'a', 'a', 'b']);
  expect(peaks).toEqual({ a: 1, all: 2 });
});

it('passes a failure on and admits the next', async () => {
  const gate = keyedSemaphore(1);
  await expect(gate.run('a', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(await gate.run('a', async () => 1)).toBe(1);
});
