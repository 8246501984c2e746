//! Creates marketplaces and the users in them.
import { randomUUID } from 'node:crypto';
import pg, { type Pool } from 'pg';
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

export interface PersonInput {
  readonly name?: string;
  /** The initial balance. */
  readonly credit?: string;
}

/** A new marketplace with a key, or a key for an existing one. */
export async function createMarketplace(
  { api, masterKey }: Pick<Readiness, 'api' | 'masterKey'>,
  name: string,
  more: { readonly scopes?: readonly string[]; readonly marketplaceId?: string } = {},
): Promise<Marketplace> {
  const post = poster({ api, apiKey: masterKey });
  const created = await post('/auth/api-keys', { name, scopes: ['read', 'write'], ...more });
  return { id: String(created['marketplaceId']), key: String(created['key']) };
}

/**
 * Disables the second platform admin of a set and returns a function that enables them again. While
 * only one is active, the master key creates operators and resumes payouts. In the table: no caller
 * can do this with the master key alone.
 */
export async function leaveOnePlatformAdmin(databaseUrl: string): Promise<() => Promise<void>> {
  const set = async (status: 'ACTIVE' | 'DISABLED') => {
    const owner = new pg.Client(databaseUrl);
    await owner.connect();
    // The second one was created last.
    await owner.query(
      `update operator set status = $1
       where id = (select max(id) from operator where is_platform_admin)`,
      [status],
    );
    await owner.end();
  };
  await set('DISABLED');
  return () => set('ACTIVE');
}

/** Its row number in the tables. */
export async function marketplaceNumber(monitor: Pool, marketplaceId: string): Promise<string> {
  const { rows } = await monitor.query<{ number: string }>(
    'select id::text as number from marketplace where public_id = $1',
    [marketplaceId],
  );
  if (rows[0] === undefined) throw new Error(`there is no ${marketplaceId}`);
  return rows[0].number;
}

/** A user with a payment account, who can buy and sell. Each call may be repeated. */
export async function createPerson(post: Post, input: PersonInput = {}): Promise<Person> {
  const { name = randomUUID(), credit } = input;
  const email = `${name}@example.test`;
  const id = await createUser(post, { externalUserId: name, email });
  await post(`/users/${id}/payment-account/link`, { email });
  const first = { amount: credit, reference: 'first' };
  if (credit !== undefined) await post(`/users/${id}/balance/credit`, first);
  return { id, email };
}

export async function createUser(post: Post, body: object): Promise<string> {
  return String((await post('/users', body))['id']);
}

/** Numbered users with no data but their name. */
export function createUsers(post: Post, name: string, count: number): Promise<string[]> {
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  return inLanes(numbers, 1, (number) => createUser(post, { externalUserId: `${name}-${number}` }));
}

export interface Pair {
  readonly buyerId: string;
  readonly sellerId: string;
}

/** One user with money, and one without. */
export async function createPair(post: Post, credit: string): Promise<Pair> {
  const buyer = await createPerson(post, { credit });
  return { buyerId: buyer.id, sellerId: (await createPerson(post)).id };
}
