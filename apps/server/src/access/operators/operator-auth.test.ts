import { manualClock } from '@holdfast/kernel/clock';
import { newId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import type { Transactor } from '../../platform/database/transact.ts';
import { Passwords } from '../../platform/password.ts';
import { desk } from '../../testing/operators.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { useWorld } from '../../testing/use-world.ts';
import { OperatorAuth } from './operator-auth.ts';

const clock = manualClock(Date.now());
const world = useWorld({ clock });
const keyOf = (letter: string) => Buffer.from(letter.repeat(32)).toString('base64');
const authWith = (keys: string | undefined) =>
  new OperatorAuth({ clock } as unknown as Transactor, {
    keys,
    publicUrl: undefined,
    isSecure: true,
    acceptsPasswords: true,
    passwords: new Passwords({ isStrict: false, waitingPerAddress: 4 }),
    csrfTokenOf: (token) => token,
  });

it('opens secrets that an older key sealed, and only for their operator', async () => {
  const [one, other] = [newId('opr', Date.now()), newId('opr', Date.now())];
  const secret = Buffer.from('a secret');
  const sealed = await authWith(`v1:${keyOf('a')}`).sealTotp(secret, one);
  const rotated = authWith(`v2:${keyOf('b')},v1:${keyOf('a')}`);
  expect(Buffer.from(await rotated.openTotp(sealed, one))).toEqual(secret);
  await expect(rotated.openTotp(sealed, other)).rejects.toThrow();
  expect((await rotated.sealTotp(secret, one)).version).toBe('v2');
});

it('fails clearly when no key is configured', async () => {
  await expect(
    authWith(undefined).sealTotp(Buffer.from('x'), newId('opr', Date.now())),
  ).rejects.toSatisfy(isRefusal('SERVICE_UNAVAILABLE'));
});

it('reads a cookie back as it was set', () => {
  const auth = authWith(undefined);
  const given = auth.cookieOf('token');
  expect(given).toBe(
    '__Host-holdfast_session=token; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure',
  );
  expect(auth.endedCookie).toBe(given.replace('=token', '=').replace('43200', '0'));
});

it('stops looking up forged sessions of an address, and continues with known ones', async () => {
  const [known, unseen] = [await desk(world), await desk(world)];
  const statusOf = async (token: string) => {
    const headers = { cookie: `holdfast_session=${token}` };
    return (await world.send('GET', '/operators/me', { headers })).status;
  };
  expect((await known.send('GET', '/operators/me')).status).toBe(200);
  const forged = await Promise.all(
    Array.from({ length: 150 }, (_, index) => statusOf(`forged${index}`)),
  );
  expect(forged.filter((status) => status === 401)).toHaveLength(100);
  expect(forged.filter((status) => status === 429)).toHaveLength(50);
  expect((await known.send('GET', '/operators/me')).status).toBe(200);
  expect((await unseen.send('GET', '/operators/me')).status).toBe(429);
  clock.advance(60_000);
  expect((await unseen.send('GET', '/operators/me')).status).toBe(200);
});
