//! The users of a cell: created one after the other, their balances, and the mirror of their
//! addresses.
import type { ApiTarget, Post } from '../../harness/api.ts';
import { createPerson, type Person } from '../../harness/people.ts';
import { within } from '../../harness/wait.ts';
import { get } from './client.ts';
import type { Surroundings } from './saga-row.ts';

let lastUser: Promise<unknown> = Promise.resolve();

/** Sequentially: concurrent creation of users is not tested here. */
export async function createUser(post: Post): Promise<Person> {
  const created = lastUser.then(() => createPerson(post));
  lastUser = created.catch(() => undefined);
  return created;
}

/** Available and reserved. */
export async function balanceText(environment: ApiTarget, userId: string): Promise<string> {
  const { available, reserved } = await get(environment, `/users/${userId}/balance`);
  return `${String(available)} ${String(reserved)}`;
}

const PREPARED_MS_MAX = 60_000;

export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  if (!(await within(PREPARED_MS_MAX, isSo))) throw new Error(`not ${what} in time`);
}

/** Empty until it can hold USDC. */
export async function addressOf({ monitor }: Surroundings, userId: string): Promise<string> {
  const { rows } = await monitor.query<{ address: string }>(
    `select address from wallet where user_id = $1 and status = 'READY'`,
    [userId],
  );
  return rows[0]?.address ?? '';
}

/** Else work on the address would be retried until it exists: at crash points of its own. */
export async function untilAddressReady(environment: Surroundings, userId: string): Promise<void> {
  await until('ready', async () => (await addressOf(environment, userId)) !== '');
}

/** Delays the mirror for this user, as it delays itself when the network is unreachable. */
export async function holdMirror({ monitor }: Surroundings, userId: string): Promise<void> {
  await monitor.query(
    `insert into mirror_backoff (marketplace_id, user_id, reason, attempts, next_poll_at)
     select marketplace_id, id, 'NETWORK', 1, now() + interval '1 hour' from users where id = $1`,
    [userId],
  );
}

/** A user whose transfer was refused waits half a minute: that time is over now. */
export async function endRefusedWaits(
  { monitor }: Surroundings,
  userIds: readonly string[],
): Promise<void> {
  await monitor.query(
    `update mirror_backoff set next_poll_at = now()
     where user_id = any ($1) and reason = 'ESCALATED'`,
    [userIds],
  );
}

/** Changes nothing where nothing was held. */
export async function letMirrorGoOn(
  { monitor }: Surroundings,
  userIds: readonly string[],
): Promise<void> {
  await monitor.query('delete from mirror_backoff where user_id = any ($1)', [userIds]);
}
