//! The moves of a top-up, each with its event and its audit entry. Whoever calls one has locked the
//! top-up and seen that the move is possible.
import type { TopupState } from '@holdfast/contract/topup-machine';
import { assert } from '@holdfast/kernel/assert';
import { audit, type Deed } from '../audit/audit-entry.ts';
import { creditTopup } from '../books/topup-money.ts';
import { emit } from '../platform/outbox.ts';
import type { Tx } from '../platform/transact.ts';
import { type Failure, moveTopup, type Topup } from './topup.ts';

/** The pay page is known: the user must go there. */
export async function awaitConfirmation(tx: Tx, topup: Topup): Promise<Topup> {
  const { id: topupId, confirmationUri, providerPayinId } = topup;
  assert(confirmationUri !== null, 'whoever waits for a user knows the page');
  const moved = await moveTopup(tx, topup, 'awaitConfirmation');
  await emit(tx, 'topup.confirmation_required', topupId, { topupId, confirmationUri });
  await tell(tx, 'TOPUP_AWAITING_USER_CONFIRMATION', topup, moved, { after: { providerPayinId } });
  return moved;
}

export async function startProcessing(tx: Tx, topup: Topup): Promise<Topup> {
  const { id: topupId, providerPayinId } = topup;
  assert(providerPayinId !== null, 'what is processed has a name at the provider');
  const moved = await moveTopup(tx, topup, 'startProcessing');
  await emit(tx, 'topup.processing', topupId, { topupId, providerPayinId });
  await tell(tx, 'TOPUP_PROCESSING', topup, moved);
  return moved;
}

/** Credits the user, once: the door of the books refuses a second time. */
export async function succeed(tx: Tx, topup: Topup): Promise<Topup> {
  const { id: topupId, userId, amount, currency } = topup;
  const moved = await moveTopup(tx, topup, 'succeed');
  const available = await creditTopup(tx, topup);
  await emit(tx, 'topup.succeeded', topupId, {
    topupId,
    userId,
    amount: amount.text,
    currency,
    newAvailableBalance: available.text,
    ...payinIdOf(topup),
  });
  await tell(tx, 'TOPUP_SUCCEEDED', topup, moved, { after: { amount: amount.text, currency } });
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
  await tell(tx, 'TOPUP_FAILED', topup, moved, { after: { errorCode }, reason });
  return moved;
}

export interface Cancellation {
  readonly canceledBy: string;
  readonly reason: string | null;
}

/** By a caller, or by whoever stood at the pay page. */
export async function cancel(
  tx: Tx,
  topup: Topup,
  move: 'cancel' | 'canceledOutside',
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
  await tell(tx, 'TOPUP_CANCELED', topup, moved, { after, reason: reason ?? undefined });
  return moved;
}

function payinIdOf({ providerPayinId }: Topup) {
  return providerPayinId === null ? {} : { providerPayinId };
}

/** The audit has an action for each state. */
function tell(
  tx: Tx,
  action: TopupState,
  before: Topup,
  { status }: Topup,
  { after = {}, reason }: Pick<Deed, 'after' | 'reason'> = {},
): Promise<void> {
  return audit(tx, {
    action,
    resourceId: before.id,
    before: { status: before.status },
    after: { status, ...after },
    reason,
  });
}
