import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { serializeByUser } from './serialize-by-user.ts';

it('runs the work of one user in turn, even after failures, and of two at once', async () => {
  const seen: string[] = [];
  const work = (name: string, ms: number) => async () => {
    seen.push(`${name} starts`);
    await sleep(ms);
    seen.push(`${name} ends`);
    if (name === 'second') throw new Error('it failed');
    return name;
  };
  const outcomes = await Promise.allSettled([
    serializeByUser('usr_ada', work('first', 30)),
    serializeByUser('usr_ada', work('second', 10)),
    serializeByUser('usr_ada', work('third', 0)),
    serializeByUser('usr_bo', work('other', 0)),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
  expect(seen.filter((line) => !line.startsWith('other'))).toEqual([
    'first starts',
    'first ends',
    'second starts',
    'second ends',
    'third starts',
    'third ends',
  ]);
  expect(seen.indexOf('other ends')).toBeLessThan(seen.indexOf('first ends'));
});
