//! Schedules a new check of the record that an exception is about.
import { instantText } from '@holdfast/kernel/clock';
import { type Id, type Prefix, readId } from '@holdfast/kernel/ids';
import { markMirrorDue } from '../../payments/mirror/due-user.ts';
import { schedulePoll } from '../../payments/topups/topup-poll.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { Exception } from './exception.ts';

/** A top-up, a payout, or a user's address: its poller or the mirror does the rest. */
export async function recheckException(tx: Tx, { resourceId }: Exception): Promise<void> {
  const as = <P extends Prefix>(prefix: P): Id<P> | undefined => readId(prefix, resourceId ?? '');
  const [topupId, withdrawalId, userId] = [as('topup'), as('wd'), as('usr')];
  if (topupId !== undefined) await schedulePoll(tx, topupId, 0);
  if (withdrawalId !== undefined)
    await tx.query(sql`
      update withdrawal set next_poll_at = ${instantText(tx.now)}
      where marketplace_id = ${tx.marketplace} and id = ${withdrawalId}
        and destination_type <> 'crypto' and status <> 'WITHDRAWAL_CREATED'`);
  if (userId !== undefined) await markMirrorDue(tx, userId);
}
