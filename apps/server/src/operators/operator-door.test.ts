import { newId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import { Passwords } from '../platform/password.ts';
import type { Transactor } from '../platform/transact.ts';
import { isRefusal } from '../testing/refusal.ts';
import { OperatorDoor } from './operator-door.ts';

const keyOf = (letter: string) => Buffer.from(letter.repeat(32)).toString('base64');
const doorWith = (keys: string | undefined) =>
  new OperatorDoor({} as Transactor, {
    keys,
    publicUrl: undefined,
    isSecure: true,
    passwords: new Passwords(),
    csrfTokenOf: (token) => token,
  });

it('opens what an older key sealed, and for nobody else', async () => {
  const [one, other] = [newId('opr'), newId('opr')];
  const secret = Buffer.from('a secret');
  const sealed = await doorWith(`v1:${keyOf('a')}`).sealTotp(secret, one);
  const rotated = doorWith(`v2:${keyOf('b')},v1:${keyOf('a')}`);
  expect(Buffer.from(await rotated.openTotp(sealed, one))).toEqual(secret);
  await expect(rotated.openTotp(sealed, other)).rejects.toThrow();
  expect((await rotated.sealTotp(secret, one)).version).toBe('v2');
});

it('says so where no key is configured', async () => {
  await expect(doorWith(undefined).sealTotp(Buffer.from('x'), newId('opr'))).rejects.toSatisfy(
    isRefusal('SERVICE_UNAVAILABLE'),
  );
});

it('takes a cookie back as it gave it', () => {
  const door = doorWith(undefined);
  const given = door.cookieOf('token');
  expect(given).toBe(
    '__Host-holdfast_session=token; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure',
  );
  expect(door.endedCookie).toBe(given.replace('=token', '=').replace('43200', '0'));
});
