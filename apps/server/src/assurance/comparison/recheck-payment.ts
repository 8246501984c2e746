//! Has the provider's record of a payment read again, now. Its poller does the rest.
import { instantText } from '@holdfast/kernel/clock';
import { readId } from '@holdfast/kernel/ids';
import { pollNow } from '../../payments/topups/topup-poll.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

/** A top-up or a payout, by our id. The next poll of an old one may be an hour or a day away. */
export async function recheckPayment(tx: Tx, id: string): Promise<void> {
  const [topupId, withdrawalId] = [readId('topup', id), readId('wd', id)];
  if (topupId !== undefined) await pollNow(tx, topupId);
  if (withdrawalId !== undefined)
    await tx.query(sql`
      update withdrawal set next_poll_at = least(next_poll_at, ${instantText(tx.now)})
      where marketplace_id = ${tx.marketplace} and id = ${withdrawalId}
        and destination_type <> 'crypto' and status <> 'WITHDRAWAL_CREATED'`);
}
