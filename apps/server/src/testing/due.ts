//! When the work of jobs is due. What is due is so since the epoch: now() of the database has
//! microseconds, and can be later than the same millisecond of the process that looks for it.
import type { TopupId, WithdrawalId } from '@holdfast/kernel/ids';
import { applyInbox } from '../webhooks/incoming/apply-inbox.ts';
import type { World } from './world.ts';

/** Those given, or all. */
export async function setTopupsDue(world: World, ids?: readonly TopupId[]): Promise<void> {
  await world.rows(
    `update topup_poll set next_poll_at = 'epoch' where $1::text[] is null or topup_id = any ($1)`,
    [ids ?? null],
  );
}

/** Those given, or all that are polled. */
export async function setWithdrawalsDue(
  world: World,
  ids?: readonly WithdrawalId[],
): Promise<void> {
  await world.rows(
    `update withdrawal set next_poll_at = 'epoch'
     where case when $1::text[] is null then next_poll_at is not null else id = any ($1) end`,
    [ids ?? null],
  );
}

/** Runs the job as a worker does, as if each entry were due; returns how many are still pending. */
export async function runInbox(
  world: World,
  worker: Parameters<typeof applyInbox>[0],
): Promise<number> {
  await world.rows(`update inbox set next_try_at = 'epoch' where status = 'PENDING'`);
  while ((await applyInbox(worker)) > 0);
  const pending = await world.rows(`select from inbox where status = 'PENDING'`);
  return pending.length;
}

/**
 * No operation is due for an hour. Otherwise a due operation counts as running for ten seconds, and
 * a step whose reply was lost is due in half a second.
 */
export async function postponeAll(world: Pick<World, 'rows'>): Promise<void> {
  await world.rows(
    `update operation set next_try_at = now() + interval '1 hour' where status = 'RUNNING'`,
  );
}
