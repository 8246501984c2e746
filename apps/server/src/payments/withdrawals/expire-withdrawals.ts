//! Cancels withdrawals that were not committed in time, so that their money is not held for ever: a
//! background job.
import { instantText } from '@holdfast/kernel/clock';
import type { WithdrawalId } from '@holdfast/kernel/ids';
import { systemCall } from '../../platform/call.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { type Transactor, type Tx, transact } from '../../platform/database/transact.ts';
import { endCanceled } from './end-withdrawal.ts';
import { lockWithdrawal } from './withdrawal.ts';

const WITHDRAWALS_MAX = 50;

/** Any number of workers may run it: each is canceled once. Returns how many this run canceled. */
export async function expireWithdrawals(app: Transactor): Promise<number> {
  const { rows: due } = await app.pool.query<{ marketplace_id: RowNumber; id: WithdrawalId }>(
    'select marketplace_id, id from work.withdrawals_to_expire($1, $2)',
    [WITHDRAWALS_MAX, instantText(app.clock.now())],
  );
  let expired = 0;
  for (const { marketplace_id: marketplace, id } of due) {
    if (await expireOne(app, marketplace, id)) expired += 1;
  }
  return expired;
}

/** Never throws: one that fails is due again in the next run. */
async function expireOne(
  app: Transactor,
  marketplace: RowNumber,
  withdrawalId: WithdrawalId,
): Promise<boolean> {
  try {
    return await transact(app, systemCall(marketplace), (tx) => expire(tx, withdrawalId));
  } catch (error) {
    app.log.warn({ withdrawalId, err: error }, 'withdrawal not expired');
    return false;
  }
}

async function expire(tx: Tx, id: WithdrawalId): Promise<boolean> {
  // One that another transaction holds is being committed, canceled or expired right now.
  const free = await tx.query(sql`
    select id from withdrawal
    where marketplace_id = ${tx.marketplace} and id = ${id} and status = 'WITHDRAWAL_CREATED'
      and expires_at <= ${instantText(tx.now)}
    for no key update skip locked`);
  if (free.length === 0) return false;
  const cancellation = { canceledBy: tx.actor.id, reason: 'It was not confirmed in time.' };
  await endCanceled(tx, await lockWithdrawal(tx, id), 'cancel', cancellation, { nextPollAt: null });
  return true;
}
