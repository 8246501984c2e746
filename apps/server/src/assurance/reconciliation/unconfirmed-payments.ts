//! Money that users have by a notification alone, and that the provider's record has not confirmed
//! in time: found by every run, and resolved by two people.
import { refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import { instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import { readId, type UserId } from '@holdfast/kernel/ids';
import { minorText } from '@holdfast/kernel/money';
import { takeBackTopup } from '../../payments/topups/take-back-topup.ts';
import { retakeReturned } from '../../payments/withdrawals/end-withdrawal.ts';
import { lockWithdrawal } from '../../payments/withdrawals/withdrawal.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { Log } from '../../platform/process/log.ts';
import { stroopsOfMinor } from '../../providers/network/stroops.ts';
import { type Finding, found } from '../comparison/finding.ts';
import type { Exception, ResolutionInput } from './exception.ts';

/** As long as a record may lag behind its notification. */
const LAG_MS_MAX = 10 * 60_000;

/** Oldest first; a marketplace has few, and none as long as the provider replies. */
const LISTED_MAX = 1000;

interface UnconfirmedRow extends Row<'lien', 'subject_id' | 'amount' | 'opened_at'> {
  readonly user_id: UserId;
  readonly currency: Currency;
}

export async function findUnconfirmedPayments(tx: Tx): Promise<Finding[]> {
  const rows = await tx.query<UnconfirmedRow>(sql`
    select l.subject_id, l.amount, l.opened_at, a.owner_id as user_id, a.currency
    from lien l join account a on a.id = l.account_id and a.marketplace_id = l.marketplace_id
    where l.marketplace_id = ${tx.marketplace} and l.lifted_at is null
      and l.opened_at <= ${instantText(tx.now - LAG_MS_MAX)}
    order by l.opened_at limit ${LISTED_MAX}`);
  return rows.map(findingOf);
}

function findingOf({ subject_id: id, amount, user_id: userId, ...row }: UnconfirmedRow): Finding {
  const minor = BigInt(amount);
  return found({
    key: `unconfirmed:${id}`,
    cause: 'MONEY_UNCONFIRMED',
    currency: row.currency,
    stroops: stroopsOfMinor(-minor),
    clearing: 'payment_clearing',
    resourceType: readId('topup', id) === undefined ? 'Withdrawal' : 'TopUp',
    resourceId: id,
    ours: { id, userId, unconfirmed: minorText(minor), since: instantText(row.opened_at) },
    theirs: null,
    // Looked for by every run, however old.
    recordAt: null,
  });
}

/** Refuses once the money was confirmed or taken back, and a charge of another user. */
export async function checkUnconfirmed(
  tx: Tx,
  exception: Exception,
  { userId }: ResolutionInput,
): Promise<void> {
  const { id, status: state, resourceId } = exception;
  const [row] = await tx.query<{ user_id: UserId }>(sql`
    select a.owner_id as user_id
    from lien l join account a on a.id = l.account_id and a.marketplace_id = l.marketplace_id
    where l.marketplace_id = ${tx.marketplace} and l.subject_id = ${resourceId}
      and l.lifted_at is null`);
  const about = { resource: 'ReconciliationException', id, state };
  if (row === undefined)
    refuse('INVALID_STATE', { ...about, reason: 'the money is confirmed or taken back by now' });
  if (userId !== undefined && userId !== row.user_id)
    refuse('INVALID_STATE', { ...about, reason: `the money is of ${row.user_id}` });
}

/** CHARGE_USER takes the money back; WRITE_OFF leaves it to the user, and the marketplace pays. */
export async function resolveUnconfirmed(
  app: { readonly log: Log },
  tx: Tx,
  { id, resourceId }: Exception,
  { action, reason }: ResolutionInput,
): Promise<void> {
  if (action === 'WRITE_OFF') {
    await tx.query(sql`
      select books.write_off_unconfirmed(${instantText(tx.now)}, ${id}, ${tx.actor.id},
        ${tx.requestId})`);
    return;
  }
  const [topupId, withdrawalId] = [
    readId('topup', resourceId ?? ''),
    readId('wd', resourceId ?? ''),
  ];
  if (topupId !== undefined) return takeBackTopup(app, tx, topupId, reason);
  assert(withdrawalId !== undefined, 'unconfirmed money is of a top-up or a withdrawal');
  await retakeReturned(tx, await lockWithdrawal(tx, withdrawalId), reason);
}
