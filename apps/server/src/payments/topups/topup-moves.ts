//! The state transitions of a top-up, each with its event and its audit entry. The caller has
//! locked the top-up and checked that the transition is allowed.
import type { TopupState } from '@holdfast/contract/machines/topup-machine';
import { assert } from '@holdfast/kernel/assert';
import { creditTopup } from '../../accounts/books/topup-money.ts';
import { emit } from '../../platform/database/outbox.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { type AuditRecord, audit } from '../../record/audit/audit-entry.ts';
import { type Failure, moveTopup, type Topup } from './topup.ts';

/** The payment page is known: the user must confirm there. */
export async function awaitConfirmation(tx: Tx, topup: Topup): Promise<Topup> {
  const { id: topupId, userId, confirmationUri, providerPayinId } = topup;
  assert(confirmationUri !== null, 'a top-up that awaits its user has a payment page');
  const moved = await moveTopup(tx, topup, 'awaitConfirmation');
  await emit(tx, 'topup.confirmation_required', topupId, { topupId, confirmationUri }, { userId });
  await auditMove(tx, 'TOPUP_AWAITING_USER_CONFIRMATION', topup, moved, {
    after: { providerPayinId },
  });
  return moved;
}

export async function startProcessing(tx: Tx, topup: Topup): Promise<Topup> {
  const { id: topupId, userId, providerPayinId } = topup;
  assert(providerPayinId !== null, 'what is processed has a name at the provider');
  const moved = await moveTopup(tx, topup, 'startProcessing');
  await emit(tx, 'topup.processing', topupId, { topupId, providerPayinId }, { userId });
  await auditMove(tx, 'TOPUP_PROCESSING', topup, moved);
  return moved;
}

/**
 * Credits the user once: the posting function refuses a second credit. What only a notification
 * reports is shown in the balance and cannot be used before the record confirms it.
 */
export async function succeed(tx: Tx, topup: Topup, by: 'notification' | 'record'): Promise<Topup> {
  const { id: topupId, userId, amount, currency } = topup;
  const moved = await moveTopup(tx, topup, 'succeed');
  const available = await creditTopup(tx, topup, by === 'record');
  await emit(tx, 'topup.succeeded', topupId, {
    topupId,
    userId,
    amount: amount.text,
    currency,
    newAvailableBalance: available.text,
    ...payinIdOf(topup),
  });
  await auditMove(tx, 'TOPUP_SUCCEEDED', topup, moved, {
    after: { amount: amount.text, currency, by },
  });
  return { ...moved, credited: amount.minor };
}

export async function fail(tx: Tx, topup: Topup, failure: Failure): Promise<Topup> {
  const { id: topupId, userId, amount } = topup;
  const { reason, errorCode } = failure;
  const moved = await moveTopup(tx, topup, 'fail', failure);
  await emit(tx, 'topup.failed', topupId, {
    topupId,
    userId,
    amount: amount.text,
    reason,
    ...(errorCode === null ? {} : { errorCode }),
    ...payinIdOf(topup),
  });
  await auditMove(tx, 'TOPUP_FAILED', topup, moved, { after: { errorCode }, reason });
  return moved;
}

export interface Cancellation {
  readonly canceledBy: string;
  readonly reason: string | null;
}

/** Canceled by a caller, or by the payer at the payment page. */
export async function cancel(
  tx: Tx,
  topup: Topup,
  move: 'cancel' | 'canceledUpstream',
  { canceledBy, reason }: Cancellation,
): Promise<Topup> {
  const { id: topupId, userId, amount } = topup;
  const moved = await moveTopup(tx, topup, move);
  await emit(tx, 'topup.canceled', topupId, {
    topupId,
    userId,
    amount: amount.text,
    canceledBy,
    ...(reason === null ? {} : { reason }),
  });
  const after = { canceledBy };
  await auditMove(tx, 'TOPUP_CANCELED', topup, moved, { after, reason: reason ?? undefined });
  return moved;
}

function payinIdOf({ providerPayinId }: Topup) {
  return providerPayinId === null ? {} : { providerPayinId };
}

/** The audit has an action for each state. */
function auditMove(
  tx: Tx,
  action: TopupState,
  before: Topup,
  { status }: Topup,
  { after = {}, reason }: Pick<AuditRecord, 'after' | 'reason'> = {},
): Promise<void> {
  return audit(tx, {
    action,
    resourceId: before.id,
    before: { status: before.status },
    after: { status, ...after },
    reason,
  });
}
