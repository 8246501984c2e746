//! Waits until the set is idle: no open operation, no user due in the mirror, no unsequenced event.
import type { Pool } from 'pg';
import { MOVING } from '../auditor/invariants/rest.ts';
import { countWebhooks } from './sandbox.ts';
import { within } from './wait.ts';

const REST_MS_MAX = 60_000;
/** Longer than the longest pause between two attempts of a webhook. */
const WEBHOOKS_MS_MAX = 150_000;
const POLLS_MS_MAX = 180_000;
const WALLETS_MS_MAX = 60_000;

/** A log that the mirror has not read to its end: an unread event may make a user due. */
const UNREAD = `
  select 'log' as kind, head.marketplace_id, head.position::text as id, 'UNREAD' as status
  from event_head head left join mirror_cursor cursor using (marketplace_id)
  where head.position > coalesce(cursor.position, 0)`;

/** Events that are not sequenced yet. */
const UNPLACED = `
  select 'event' as kind, marketplace_id, id::text, 'UNPLACED' as status from outbox`;

export interface Convergence {
  readonly seconds: number;
  /** Everything that was still in progress at the time limit. */
  readonly moving: readonly string[];
}

export async function converge(monitor: Pool, msMax = REST_MS_MAX): Promise<Convergence> {
  const startedAt = performance.now();
  let moving: string[] = [];
  const isAtRest = async () => {
    const { rows } = await monitor.query<{ kind: string; id: string; status: string }>(
      `${MOVING} union all ${UNREAD} union all ${UNPLACED}`,
    );
    moving = rows.map(({ kind, id, status }) => `${kind} ${id} ${status}`);
    return moving.length === 0;
  };
  await within(msMax, isAtRest, 100);
  return { seconds: (performance.now() - startedAt) / 1000, moving };
}

/** Waits until nothing is in progress; throws a list of the rest at the time limit. */
export async function rest(monitor: Pool, msMax?: number): Promise<void> {
  const { moving } = await converge(monitor, msMax);
  if (moving.length > 0) throw new Error(`still moving: ${moving.join('; ')}`);
}

/** An end that a webhook reported is polled once more, after a fifth of the payment's age. */
export async function awaitPolls(monitor: Pool): Promise<void> {
  const text = `select from (${MOVING}) moving where kind = 'poll'`;
  await within(POLLS_MS_MAX, async () => (await monitor.query(text)).rowCount === 0, 1000);
}

/** A late webhook must change nothing either, so all are delivered before the verdict. */
export async function awaitWebhooks(sandbox: string): Promise<void> {
  const isDelivered = async () => (await countWebhooks(sandbox)).pending === 0;
  await within(WEBHOOKS_MS_MAX, isDelivered, 1000);
}

/** Waits until every user has an address, before the first order. */
export async function awaitWallets(monitor: Pool, count: number): Promise<void> {
  const isEverybody = async () => {
    const { rowCount } = await monitor.query(
      'select from wallet where user_id is not null and ready_at is not null',
    );
    return (rowCount ?? 0) >= count;
  };
  if (!(await within(WALLETS_MS_MAX, isEverybody, 200)))
    throw new Error('not every user has a wallet');
}
