//! Operators for tests: people with a role who have signed in, and the headers of their browser.

import { randomUUID } from 'node:crypto';
import type { OperatorRole } from '@holdfast/contract/roles';
import { type MarketplaceId, newId, type OperatorId } from '@holdfast/kernel/ids';
import { insertOperator } from '../access/operators/operator.ts';
import { writeMemberships } from '../access/operators/set-memberships.ts';
import { newTotpSecret, totpCode } from '../access/operators/totp.ts';
import { transact } from '../platform/database/transact.ts';
import { type ApiResponse, masterCall, type Sending, type World } from './world.ts';

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
  /** The value of the cookie. */
  readonly token: string;
  readonly csrfToken: string;
  /** All headers that the console sends, for one marketplace or none. */
  readonly headers: Readonly<Record<string, string>>;
  send(method: string, path: string, sending?: Omit<Sending, 'key'>): Promise<ApiResponse>;
}

export interface PersonOptions {
  readonly role?: OperatorRole;
  readonly marketplaceId?: MarketplaceId;
  readonly isPlatformAdmin?: boolean;
}

/** Written directly: the master key creates none once two platform admins are active. */
export async function person({ app }: World, options: PersonOptions = {}): Promise<Person> {
  const { role, marketplaceId, isPlatformAdmin = false } = options;
  const email = `${randomUUID()}@example.test`;
  const id = newId('opr', app.clock.now());
  const totpSecret = newTotpSecret();
  const totp = await app.operators.sealTotp(totpSecret, id);
  passwordHashOfAll ??= hashOf(app);
  const passwordHash = await passwordHashOfAll;
  await transact(app, masterCall(), async (tx) => {
    await insertOperator(tx, { id, email, name: 'Ada', passwordHash, totp, isPlatformAdmin });
    if (role && marketplaceId) await writeMemberships(tx, id, [{ role, marketplaceId }]);
  });
  return { id, email, totpSecret };
}

/** Hashed once, since hashing is slow by design. */
let passwordHashOfAll: Promise<string> | undefined;

function hashOf({ operators }: World['app']): Promise<string> {
  const queue = { line: 'known-operator', from: 'a test' } as const;
  return operators.passwords.withHasher(queue, (hasher) => hasher.hash(PASSWORD));
}

export interface SignInSending {
  readonly password?: string;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function signIn(
  world: World,
  who: Person,
  sending: SignInSending = {},
): Promise<ApiResponse> {
  const { password = PASSWORD, headers = {} } = sending;
  const totp = sending.code ?? totpCode(who.totpSecret, world.app.operators.clock.now());
  return world.send('POST', '/operators/sign-in', {
    body: { email: who.email, password, totp },
    headers: { ...SIGN_IN_HEADERS, ...headers },
  });
}

/** The next code, after the one that the operator has just signed in with. */
export function nextCode({ app }: World, { totpSecret }: Person): string {
  return totpCode(totpSecret, app.operators.clock.now() + 30_000);
}

export function tokenIn({ headers }: ApiResponse): string {
  return /^[^=]+=([^;]*)/.exec(String(headers['set-cookie'] ?? ''))?.[1] ?? '';
}

/** An operator who is signed in to the console. */
export async function deskOf(
  world: World,
  who: Person,
  marketplaceId?: MarketplaceId,
): Promise<Desk> {
  const response = await signIn(world, who);
  if (response.status !== 200) throw new Error(response.text);
  const token = tokenIn(response);
  const { csrfToken } = response.json.data.data;
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

/** The same, for an operator created by this call. */
export async function desk(world: World, options: PersonOptions = {}): Promise<Desk> {
  return deskOf(world, await person(world, options), options.marketplaceId);
}

/** A request that waits for an approval: the id of that. */
export async function requestApproval(by: Desk, path: string, body: object = {}): Promise<string> {
  const { status, text, json } = await by.send('POST', path, { body });
  if (status !== 202) throw new Error(text);
  return json.data.data.id as string;
}
