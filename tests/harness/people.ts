//! Marketplaces and the people in them.
import { randomUUID } from 'node:crypto';
import type { Readiness } from '../../apps/cli/src/local-set.ts';
import { type Post, poster } from './api.ts';
import { inLanes } from './lanes.ts';

export interface Marketplace {
  readonly id: string;
  readonly key: string;
}

export interface Person {
  readonly id: string;
  readonly email: string;
}

export interface Wish {
  readonly name?: string;
  /** What they begin with. */
  readonly credit?: string;
}

/** A marketplace of its own with a key for it, or a key for one that is there. */
export async function makeMarketplace(
  { api, masterKey }: Pick<Readiness, 'api' | 'masterKey'>,
  name: string,
  more: { readonly scopes?: readonly string[]; readonly marketplaceId?: string } = {},
): Promise<Marketplace> {
  const post = poster({ api, apiKey: masterKey });
  const made = await post('/auth/api-keys', { name, scopes: ['read', 'write'], ...more });
  return { id: String(made['marketplaceId']), key: String(made['key']) };
}

/** A user with a payment account, who can buy and sell. Each call may be repeated. */
export async function makePerson(post: Post, wish: Wish = {}): Promise<Person> {
  const { name = randomUUID(), credit } = wish;
  const email = `${name}@example.test`;
  const id = await makeUser(post, { externalUserId: name, email });
  await post(`/users/${id}/payment-account/link`, { email });
  const first = { amount: credit, reference: 'first' };
  if (credit !== undefined) await post(`/users/${id}/balance/credit`, first);
  return { id, email };
}

export async function makeUser(post: Post, body: object): Promise<string> {
  return String((await post('/users', body))['id']);
}

/** Users by number, who have nothing but their name. */
export function makeUsers(post: Post, name: string, count: number): Promise<string[]> {
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  return inLanes(numbers, 1, (number) => makeUser(post, { externalUserId: `${name}-${number}` }));
}

export interface Pair {
  readonly buyerId: string;
  readonly sellerId: string;
}

/** One who has money, and one who has not. */
export async function makePair(post: Post, credit: string): Promise<Pair> {
  const buyer = await makePerson(post, { credit });
  return { buyerId: buyer.id, sellerId: (await makePerson(post)).id };
}
