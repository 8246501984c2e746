import { manualClock } from '@holdfast/kernel/clock';
import { expect, it } from 'vitest';
import { type Person, person, signIn } from '../../testing/operators.ts';
import { useWorld } from '../../testing/use-world.ts';
import { lockMsOf } from './wrong-codes.ts';

const MINUTE_MS = 60_000;
const clock = manualClock(Date.now());
const world = useWorld({ clock, env: { HOLDFAST_LOGIN_ATTEMPTS: '1000' } });

const guess = async (who: Person, tries: number) => {
  for (let count = 0; count < tries; count += 1)
    expect((await signIn(world, who, { code: '000000' })).status).toBe(401);
};
const isLetIn = async (who: Person) => {
  clock.advance(30_000);
  return (await signIn(world, who)).status === 200;
};
const locks = (who: Person) =>
  world.rows<{ result: string; wrong: string }>(
    `select result, after ->> 'wrongCodes' as wrong from audit
     where resource_id = $1 and action = 'OPERATOR_LOCKED' order by id`,
    [who.id],
  );

it('locks from the fifth wrong code on, twice as long each time, an hour at most', () => {
  const minutes = [1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 5000].map((each) => lockMsOf(each) / MINUTE_MS);
  expect(minutes).toEqual([0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
});

it('refuses even a right code, with the same response, until the lock ends', async () => {
  const who = await person(world);
  await guess(who, 5);
  const locked = await signIn(world, who);
  const unknownUser = await signIn(world, { ...who, email: 'unknown@example.test' });
  expect([locked.status, locked.text]).toEqual([401, unknownUser.text]);
  // Attempts during the lock do not extend it.
  await guess(who, 3);
  expect(await isLetIn(who)).toBe(false);
  expect(await locks(who)).toEqual([{ result: 'FAILURE', wrong: '5' }]);
  clock.advance(MINUTE_MS);
  await guess(who, 1);
  clock.advance(MINUTE_MS);
  expect(await isLetIn(who)).toBe(false);
  expect((await locks(who)).at(-1)).toMatchObject({ wrong: '6' });
  clock.advance(MINUTE_MS);
  expect(await isLetIn(who)).toBe(true);
});

it('clears the count after a right code', async () => {
  const who = await person(world);
  await guess(who, 4);
  expect(await isLetIn(who)).toBe(true);
  await guess(who, 4);
  expect(await isLetIn(who)).toBe(true);
  expect(await locks(who)).toEqual([]);
});

it('counts none without the password: an outsider cannot lock an operator out', async () => {
  const who = await person(world);
  for (let tries = 0; tries < 8; tries += 1) await signIn(world, who, { password: 'wrong' });
  expect(await isLetIn(who)).toBe(true);
});

it('clears the count when the operator is reset', async () => {
  const who = await person(world);
  await guess(who, 5);
  await world.send('POST', `/operators/${who.id}/reset`, { key: world.masterKey });
  const [row] = await world.rows(
    'select failed_code_count, locked_until from operator where id = $1',
    [who.id],
  );
  expect(row).toEqual({ failed_code_count: 0, locked_until: null });
});
