import { newId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import type { Transactor } from '../../platform/database/transact.ts';
import { Passwords } from '../../platform/password.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { OperatorAuth } from './operator-auth.ts';

const keyOf = (letter: string) => Buffer.from(letter.repeat(32)).toString('base64');
const authWith = (keys: string | undefined) =>
  new OperatorAuth({} as Transactor, {
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
