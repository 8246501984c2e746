import { manualClock } from '@holdfast/kernel/clock';
import { expect, it } from 'vitest';
import { deskOf, PASSWORD, person, signIn } from '../../testing/operators.ts';
import { useWorld } from '../../testing/use-world.ts';
import { totpCode } from './totp.ts';

const clock = manualClock(Date.now());
const world = useWorld({ clock });

it('requires password and code, ends all other sessions, and keeps this one', async () => {
  const who = await person(world);
  const other = await deskOf(world, who);
  clock.advance(30_000);
  const own = await deskOf(world, who);
  const newPassword = 'another horse, another battery';
  const change = (password: string, totp: string) =>
    own.send('POST', '/operators/me/password', { body: { password, newPassword, totp } });
  const used = totpCode(who.totpSecret, clock.now());
  clock.advance(30_000);
  const fresh = totpCode(who.totpSecret, clock.now());
  const refused = [
    await change('wrong', fresh),
    await change(PASSWORD, used),
    await change(PASSWORD, '000000'),
  ];
  expect(refused.map(({ json }) => json.error.code)).toEqual(Array(3).fill('SIGN_IN_REFUSED'));
  expect((await change(PASSWORD, fresh)).status).toBe(200);
  expect((await own.send('GET', '/operators/me')).status).toBe(200);
  expect((await other.send('GET', '/operators/me')).status).toBe(401);
  clock.advance(30_000);
  expect((await signIn(world, who)).status).toBe(401);
  expect((await signIn(world, who, { password: newPassword })).status).toBe(200);
});
