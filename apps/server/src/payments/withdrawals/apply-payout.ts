//! Applies the payment provider's status of a payout. Webhooks, a refresh, the poller and the saga
//! that sends it all call this function.
//!
//! States only move forward. An ended withdrawal stays ended: if the provider later reports another
//! end, suspense takes the difference and an operator has to act.

import type { Instant } from '@holdfast/kernel/clock';
import { Money, minorText } from '@holdfast/kernel/money';
import { confirmMoney, findUnconfirmed } from '../../accounts/books/unconfirmed-money.ts';
import { suspendWithdrawal } from '../../accounts/books/withdrawal-money.ts';
import { emit } from '../../platform/database/outbox.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { MONEY_UNCONFIRMED, PAYOUT_CONFLICT } from '../../platform/process/alarms.ts';
import type { Log } from '../../platform/process/log.ts';
import type { Payout, PayoutStatus } from '../../providers/payments/payment-provider.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { giveUseBack } from '../payout-limits/payout-use.ts';
import {
  completeWithdrawal,
  endCanceled,
  failWithdrawal,
  retakeReturned,
  returnCompleted,
} from './end-withdrawal.ts';
import { findCancellation } from './open-cancellation.ts';
import { nextPollAt } from './payout-poll.ts';
import {
  canMoveBy,
  hasEnded,
  moveWithdrawal,
  setNextPollAt,
  type Withdrawal,
} from './withdrawal.ts';

/** A reported status and its source: a notification is followed by a poll, and a poll is final. */
export interface PayoutObservation {
  readonly by: 'notification' | 'poll';
  readonly payoutId: string | null;
  readonly status: PayoutStatus;
  /** By the provider's clock. */
  readonly at: Instant | null;
  readonly amountMinor: bigint | null;
  readonly reasonCode: string | null;
  readonly reason: string | null;
}

export function observationOf(payout: Payout): PayoutObservation {
  const { id: payoutId, status, updatedAt: at, amountMinor, reasonCode, reason } = payout;
  return { by: 'poll', payoutId, status, at, amountMinor, reasonCode, reason };
}

/** As the provider's own actor is called in the audit log. */
const PROVIDER = 'payment-provider';

/** The transition for each provider status; `created` and statuses without a row change nothing. */
const MEANS = {
  created: undefined,
  unrecognised: undefined,
  committed: 'pend',
  pending: 'pend',
  pending_user_action: 'awaitUser',
  completed: 'complete',
  failed: 'fail',
  canceled: 'canceledUpstream',
} as const satisfies Record<PayoutStatus, string | undefined>;

type Meaning = NonNullable<(typeof MEANS)[PayoutStatus]>;

/** True when it changed something, else the reason. The caller has just locked the withdrawal. */
export type Applied = true | { readonly notBecause: string };

export async function applyPayout(
  tx: Tx,
  log: Log,
  withdrawal: Withdrawal,
  observation: PayoutObservation,
): Promise<Applied> {
  const meaning = MEANS[observation.status];
  if (hasEnded(withdrawal)) return applyAfterEnd(tx, log, withdrawal, observation);
  if (meaning === undefined || isOlder(withdrawal, observation))
    return { notBecause: 'No change.' };
  if (!canMoveBy(withdrawal, meaning) || isStepBack(withdrawal, observation))
    return { notBecause: 'The payout is already past this status.' };
  await MOVES[meaning](tx, withdrawal, observation, factsOf(tx, withdrawal, observation));
  if (returnsMoney(meaning) && !isCertain(withdrawal, observation.by))
    log.warn({ withdrawalId: withdrawal.id }, MONEY_UNCONFIRMED);
  if (meaning === 'complete') await compareAmounts(tx, log, withdrawal, observation);
  return true;
}

function isOlder({ observedAt }: Withdrawal, { at, status }: PayoutObservation): boolean {
  const ends = status === 'completed' || status === 'failed' || status === 'canceled';
  return !ends && at !== null && observedAt !== null && at < observedAt;
}

/** `committed` precedes the wait for a recipient; only `pending` ends that wait. */
function isStepBack({ status }: Withdrawal, observation: PayoutObservation): boolean {
  return status === 'WITHDRAWAL_PENDING_USER_ACTION' && observation.status === 'committed';
}

function factsOf(tx: Tx, withdrawal: Withdrawal, { by, payoutId, at, status }: PayoutObservation) {
  const meaning = MEANS[status];
  const isEnd = meaning !== 'pend' && meaning !== 'awaitUser';
  // A withdrawal that a notification ended is polled once more, in case the record differs.
  const next = isEnd && by === 'poll' ? null : nextPollAt(withdrawal, tx.now);
  return { providerPayoutId: payoutId, observedAt: at, nextPollAt: next };
}

type Facts = ReturnType<typeof factsOf>;

const MOVES: Readonly<
  Record<
    Meaning,
    (tx: Tx, withdrawal: Withdrawal, observation: PayoutObservation, facts: Facts) => Promise<void>
  >
> = {
  pend: async (tx, withdrawal, _, facts) => {
    const pending = await moveWithdrawal(tx, withdrawal, 'pend', facts);
    const { id, userId, amount } = pending;
    // Our own id also finds the payout, in case the provider has not sent us its id yet.
    const providerPayoutId = pending.providerPayoutId ?? id;
    const payload = { withdrawalId: id, userId, providerPayoutId, amount: amount.text };
    await emit(tx, 'withdrawal.pending', id, payload);
    await auditMove(tx, 'WITHDRAWAL_PENDING', withdrawal, pending);
  },
  awaitUser: async (tx, withdrawal, observation, facts) => {
    const actionRequired = observation.reason ?? 'The recipient must act at the payment provider.';
    const waiting = await moveWithdrawal(tx, withdrawal, 'awaitUser', { ...facts, actionRequired });
    const { id, userId } = waiting;
    const payload = { withdrawalId: id, userId, actionRequired };
    await emit(tx, 'withdrawal.pending_user_action', id, payload);
    await auditMove(tx, 'WITHDRAWAL_PENDING_USER_ACTION', withdrawal, waiting, { actionRequired });
  },
  complete: (tx, withdrawal, _, facts) => completeWithdrawal(tx, withdrawal, facts),
  fail: (tx, withdrawal, { by, reason, reasonCode: errorCode }, facts) => {
    const isConfirmed = isCertain(withdrawal, by);
    const words = reason ?? 'The payment provider gives no reason.';
    return failWithdrawal(tx, withdrawal, { reason: words, errorCode, isConfirmed }, facts);
  },
  canceledUpstream: async (tx, withdrawal, { by, reason, reasonCode: errorCode }, facts) => {
    const isConfirmed = isCertain(withdrawal, by);
    // The caller whose cancellation is open is recorded as the one who canceled, however we learn
    // that the provider has done it.
    const requested = await findCancellation(tx, withdrawal.id);
    if (requested !== undefined)
      await endCanceled(tx, withdrawal, 'cancel', { ...requested, isConfirmed }, facts);
    else {
      const upstream = { canceledBy: PROVIDER, reason, errorCode, isConfirmed };
      await endCanceled(tx, withdrawal, 'canceledUpstream', upstream, facts);
    }
  },
};

function returnsMoney(meaning: Meaning): boolean {
  return meaning === 'fail' || meaning === 'canceledUpstream';
}

/** What was never sent cannot have been paid. */
function isCertain({ committedAt }: Withdrawal, by: PayoutObservation['by']): boolean {
  return by === 'poll' || committedAt === null;
}

async function auditMove(
  tx: Tx,
  action: 'WITHDRAWAL_PENDING' | 'WITHDRAWAL_PENDING_USER_ACTION',
  before: Withdrawal,
  { id, status, providerPayoutId }: Withdrawal,
  more: object = {},
): Promise<void> {
  await audit(tx, {
    action,
    resourceId: id,
    before: { status: before.status },
    after: { status, providerPayoutId, ...more },
  });
}

/**
 * The same end again changes nothing; another end means that the money is not where the books say.
 */
async function applyAfterEnd(
  tx: Tx,
  log: Log,
  withdrawal: Withdrawal,
  observation: PayoutObservation,
): Promise<Applied> {
  const { status } = observation;
  const isEnd = status === 'completed' || status === 'failed' || status === 'canceled';
  // A poll that finds it in progress keeps waiting for the end that a notification reported.
  if (!isEnd) return { notBecause: 'The payout has already ended.' };
  const isContradicted = await applyOtherEnd(tx, log, withdrawal, observation);
  // The record is read at once: until then the provider's balance differs from the books.
  await setNextPollAt(tx, withdrawal, observation.by === 'poll' ? null : tx.now);
  return isContradicted ? true : { notBecause: 'The payout has already ended with this status.' };
}

/**
 * A completed payout that the provider's record shows as failed or canceled came back, and the user
 * gets it. One that a notification alone called failed or canceled is confirmed by the record, or
 * its money is taken again. A notification moves nothing of these, nor after a return: the poll
 * that follows reads the record.
 */
async function applyOtherEnd(
  tx: Tx,
  log: Log,
  withdrawal: Withdrawal,
  observation: PayoutObservation,
): Promise<boolean> {
  const isBack = withdrawal.status === 'WITHDRAWAL_COMPLETED' && observation.status !== 'completed';
  const unconfirmed = await findUnconfirmed(tx, withdrawal.id);
  const isUncertain = isBack || withdrawal.returned > 0n || unconfirmed > 0n;
  if (isUncertain && observation.by === 'notification') return false;
  const isReturned = isBack && (await returnCompleted(tx, withdrawal, observation));
  const isRetaken = unconfirmed > 0n && (await settleReturned(tx, log, withdrawal, observation));
  const isCorrected = await compareAmounts(tx, log, withdrawal, observation);
  return isReturned || isRetaken || isCorrected;
}

/** True when the record contradicts the notification, and the money was taken again. */
async function settleReturned(
  tx: Tx,
  log: Log,
  withdrawal: Withdrawal,
  { by, status }: PayoutObservation,
): Promise<boolean> {
  const { id, amount } = withdrawal;
  if (status !== 'completed') {
    await confirmMoney(tx, id);
    await giveUseBack(tx, id);
    return false;
  }
  log.error({ withdrawalId: id, by, status, retaken: amount.text }, PAYOUT_CONFLICT);
  return retakeReturned(tx, withdrawal, "The provider's record says completed.");
}

/** True when the provider has paid more or less than the books say. */
async function compareAmounts(
  tx: Tx,
  log: Log,
  withdrawal: Withdrawal,
  { by, status, amountMinor }: PayoutObservation,
): Promise<boolean> {
  const { id, amount, currency } = withdrawal;
  const paidMinor = status === 'completed' ? (amountMinor ?? amount.minor) : 0n;
  const paid = Money.ofMinor(paidMinor, currency);
  const note = `Provider reports ${status}; the withdrawal status is ${withdrawal.status}.`;
  const difference = await suspendWithdrawal(tx, withdrawal, paid, note);
  if (difference === 0n) return false;
  const suspended = minorText(difference);
  log.error({ withdrawalId: id, by, status, suspended }, PAYOUT_CONFLICT);
  await audit(tx, {
    action: 'WITHDRAWAL_MONEY_SUSPENDED',
    resourceId: id,
    after: { providerStatus: status, by, paid: paid.text, suspended, currency },
    reason: note,
    result: 'FAILURE',
  });
  return true;
}
