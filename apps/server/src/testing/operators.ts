//! Operators for tests: people with a role who have signed in, and what their browser sends.
import { randomUUID } from 'node:crypto';
import type { OperatorRole } from '@holdfast/contract/roles';
import type { MarketplaceId, OperatorId } from '@holdfast/kernel/ids';
import { totpCode } from '../operators/totp.ts';
import type { Answer, Sending, World } from './world.ts';

export const PASSWORD = 'correct horse battery';
const ORIGIN = 'http://localhost';
const USER_AGENT = 'a browser';

export const SIGN_IN_HEADERS = { origin: ORIGIN, host: 'localhost', 'user-agent': USER_AGENT };

export interface Person {
  readonly id: OperatorId;
  readonly email: string;
  readonly totpSecret: Uint8Array;
}

export interface Desk extends Person {
  /** What the cookie holds. */
  readonly token: string;
  readonly csrfToken: string;
  /** All that the console sends along, for one marketplace or none. */
  readonly headers: Readonly<Record<string, string>>;
  send(method: string, path: string, sending?: Omit<Sending, 'key'>): Promise<Answer>;
}

export interface PersonWish {
  readonly role?: OperatorRole;
  readonly marketplaceId?: MarketplaceId;
  readonly isPlatformAdmin?: boolean;
}

export async function person(world: World, wish: PersonWish = {}): Promise<Person> {
  const { role, marketplaceId, isPlatformAdmin = false } = wish;
  const email = `${randomUUID()}@example.test`;
  const memberships = role && marketplaceId ? [{ role, marketplaceId }] : [];
  const body = { email, name: 'Ada', password: PASSWORD, isPlatformAdmin, memberships };
  const { json, text } = await world.send('POST', '/operators', { key: world.masterKey, body });
  if (json?.data === undefined) throw new Error(text);
  const { operator, totpSecret } = json.data.data;
  return { id: operator.id, email, totpSecret: unbase32(totpSecret) };
}

export interface SignInSending {
  readonly password?: string;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function signIn(world: World, who: Person, sending: SignInSending = {}): Promise<Answer> {
  const { password = PASSWORD, headers = {} } = sending;
  const totp = sending.code ?? totpCode(who.totpSecret, world.app.operators.clock.now());
  return world.send('POST', '/operators/sign-in', {
    body: { email: who.email, password, totp },
    headers: { ...SIGN_IN_HEADERS, ...headers },
  });
}

/** One more code, after the one that somebody has just signed in with. */
export function nextCode({ app }: World, { totpSecret }: Person): string {
  return totpCode(totpSecret, app.operators.clock.now() + 30_000);
}

export function tokenIn({ headers }: Answer): string {
  return /^[^=]+=([^;]*)/.exec(String(headers['set-cookie'] ?? ''))?.[1] ?? '';
}

/** Somebody who sits at the console. */
export async function deskOf(
  world: World,
  who: Person,
  marketplaceId?: MarketplaceId,
): Promise<Desk> {
  const answer = await signIn(world, who);
  if (answer.status !== 200) throw new Error(answer.text);
  const token = tokenIn(answer);
  const { csrfToken } = answer.json.data.data;
  const headers = {
    ...SIGN_IN_HEADERS,
    cookie: `theme=dark; ${world.app.operators.cookieName}=${token}`,
    'x-holdfast-csrf': csrfToken,
    'x-holdfast-reason': 'a test',
    ...(marketplaceId === undefined ? {} : { 'x-holdfast-marketplace': marketplaceId }),
  };
  return {
    ...who,
    token,
    csrfToken,
    headers,
    send: (method, path, sending = {}) =>
      world.send(method, path, { ...sending, headers: { ...headers, ...sending.headers } }),
  };
}

/** The same, made for the occasion. */
export async function desk(world: World, wish: PersonWish = {}): Promise<Desk> {
  return deskOf(world, await person(world, wish), wish.marketplaceId);
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function unbase32(text: string): Uint8Array {
  const bits = text.split('').map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'));
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2));
}
