import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { mapAtOnce, semaphore } from './semaphore.ts';

it('admits a fixed number at once, all eventually, and continues after a failure', async () => {
  const gate = semaphore(3);
  let [running, most] = [0, 0];
  const visits = Array.from({ length: 20 }, (_, at) =>
    gate.run(async () => {
      running += 1;
      most = Math.max(most, running);
      await sleep(1);
      running -= 1;
      if (at === 5) throw new Error('stumbles');
      return at;
    }),
  );
  const ended = await Promise.allSettled(visits);
  expect(most).toBe(3);
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(19);
  expect(await gate.run(async () => 'again')).toBe('again');
});

it('does the work for every item, so many at once, and keeps their order', async () => {
  let [running, most] = [0, 0];
  const doubled = await mapAtOnce(2, [3, 2, 1], async (item) => {
    running += 1;
    most = Math.max(most, running);
    await sleep(item);
    running -= 1;
    return item * 2;
  });
  expect([doubled, most]).toEqual([[6, 4, 2], 2]);
});
