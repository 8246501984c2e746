import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { semaphore } from './semaphore.ts';

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
