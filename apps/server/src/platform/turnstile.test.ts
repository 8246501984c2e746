import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { turnstile } from './turnstile.ts';

it('lets so many in at once, all of them in the end, and goes on after a failure', async () => {
  const gate = turnstile(3);
  let [inside, most] = [0, 0];
  const visits = Array.from({ length: 20 }, (_, at) =>
    gate.pass(async () => {
      inside += 1;
      most = Math.max(most, inside);
      await sleep(1);
      inside -= 1;
      if (at === 5) throw new Error('stumbles');
      return at;
    }),
  );
  const ended = await Promise.allSettled(visits);
  expect(most).toBe(3);
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(19);
  expect(await gate.pass(async () => 'again')).toBe('again');
});
