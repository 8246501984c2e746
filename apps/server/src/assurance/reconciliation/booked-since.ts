//! Whether the books have moved for a payment since a run found its difference. A poll may have
//! corrected it by itself; to post the difference then would book it twice.
import { refuse } from '@holdfast/contract/errors';
import { readId } from '@holdfast/kernel/ids';
import { minorText } from '@holdfast/kernel/money';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { PaymentKind } from '../comparison/compare-payments.ts';
import type { Exception } from './exception.ts';

const KINDS: Readonly<Record<string, PaymentKind>> = { TopUp: 'payin', Withdrawal: 'payout' };

/** Nothing changes the payment until the transaction ends. */
export async function lockPayment(tx: Tx, { resourceId }: Exception): Promise<void> {
  const id = resourceId ?? '';
  if (readId('topup', id) !== undefined)
    await tx.query(sql`
      select from topup where marketplace_id = ${tx.marketplace} and id = ${id} for no key update`);
  if (readId('wd', id) !== undefined)
    await tx.query(sql`
      select from withdrawal where marketplace_id = ${tx.marketplace} and id = ${id}
      for no key update`);
}

/** Only a payment of ours has an amount in the books that can have changed. */
export async function refuseBookedSince(tx: Tx, exception: Exception): Promise<void> {
  const { id, status: state, resourceType, resourceId, ours } = exception;
  const kind = resourceType === null ? undefined : KINDS[resourceType];
  if (kind === undefined || resourceId === null || ours === null) return;
  const { booked: before } = ours as { readonly booked: string };
  const [row] = await tx.query<{ booked: string }>(sql`
    select booked from work.payment_records(${kind}, ${[resourceId]})
    where marketplace_id = ${tx.marketplace}`);
  const booked = minorText(BigInt(row?.booked ?? 0));
  if (booked === before) return;
  const reason = `the books now have ${booked} for it, not ${before}: start a new run`;
  refuse('INVALID_STATE', { resource: 'ReconciliationException', id, state, reason });
}
