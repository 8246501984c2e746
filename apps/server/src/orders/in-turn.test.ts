import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inTurn } from './in-turn.ts';

it('runs the work of one user in turn, whatever comes of it, and of two at once', async () => {
  const seen: string[] = [];
  const work = (name: string, ms: number) => async () => {
    seen.push(`${name} begins`);
    await sleep(ms);
    seen.push(`${name} ends`);
    if (name === 'second') throw new Error('it failed');
    return name;
  };
  const outcomes = await Promise.allSettled([
    inTurn('usr_ada', work('first', 30)),
    inTurn('usr_ada', work('second', 10)),
    inTurn('usr_ada', work('third', 0)),
    inTurn('usr_bo', work('other', 0)),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
  expect(seen.filter((line) => !line.startsWith('other'))).toEqual([
    'first begins',
    'first ends',
    'second begins',
    'second ends',
    'third begins',
    'third ends',
  ]);
  expect(seen.indexOf('other ends')).toBeLessThan(seen.indexOf('first ends'));
});
