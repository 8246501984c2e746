//! Applies what the payment provider says of a pay-out: the one function behind its webhooks, a
//! refresh, a look in the background, and the saga that sends it.
//!
//! Forward only. What has ended stays ended: when the provider says otherwise afterwards, its money
//! is elsewhere than the books have it, so suspense bears the difference and an operator looks.
import type { Instant } from '@holdfast/kernel/clock';
import type { WithdrawalId } from '@holdfast/kernel/ids';
import { Money, minorText } from '@holdfast/kernel/money';
import { audit } from '../audit/audit-entry.ts';
import { suspendWithdrawal } from '../books/withdrawal-money.ts';
import type { Call } from '../platform/call.ts';
import type { Log } from '../platform/log.ts';
import { emit } from '../platform/outbox.ts';
import { type Transactor, type Tx, transact } from '../platform/transact.ts';
import type { Seal, Verdict } from '../providers/notice.ts';
import { isPayoutNotice, type PaymentNotice } from '../providers/payment-notice.ts';
import type { Payout, PayoutStatus } from '../providers/payment-provider.ts';
import { cancelWithdrawal, completeWithdrawal, failWithdrawal } from './end-withdrawal.ts';
import { nextLookAt } from './look-times.ts';
import {
  canMoveBy,
  hasEnded,
  lockWithdrawal,
  lookAgainAt,
  moveWithdrawal,
  type Withdrawal,
} from './withdrawal.ts';

/** What was said, and how we know: a notice is followed by a look, a look is what is so. */
export interface PayoutTold {
  readonly by: 'notice' | 'look';
  readonly payoutId: string | null;
  readonly status: PayoutStatus;
  /** By the provider's clock. */
  readonly at: Instant | null;
  readonly amountMinor: bigint | null;
  readonly reasonCode: string | null;
  readonly reason: string | null;
}

export function toldByLook(payout: Payout): PayoutTold {
  const { id: payoutId, status, updatedAt: at, amountMinor, reasonCode, reason } = payout;
  return { by: 'look', payoutId, status, at, amountMinor, reasonCode, reason };
}

/** Reads them off the provider's states; `created` and what has no row change nothing. */
const MEANS = {
  created: undefined,
  unrecognised: undefined,
  committed: 'pend',
  pending: 'pend',
  pending_user_action: 'awaitUser',
  completed: 'complete',
  failed: 'fail',
  canceled: 'canceledOutside',
} as const satisfies Record<PayoutStatus, string | undefined>;

type Meaning = NonNullable<(typeof MEANS)[PayoutStatus]>;

/** True when it changed something; else why not. Takes the withdrawal as it was just locked. */
export type Applied = true | { readonly notBecause: string };

export async function applyPayout(
  tx: Tx,
  log: Log,
  withdrawal: Withdrawal,
  told: PayoutTold,
): Promise<Applied> {
  const meaning = MEANS[told.status];
  if (hasEnded(withdrawal)) return applyAfterEnd(tx, log, withdrawal, told);
  if (meaning === undefined || isOlder(withdrawal, told))
    return { notBecause: 'it says nothing new' };
  if (!canMoveBy(withdrawal, meaning) || isStepBack(withdrawal, told))
    return { notBecause: 'it has come that far' };
  await MOVES[meaning](tx, withdrawal, told, factsOf(tx, withdrawal, told));
  if (meaning === 'complete') await compareAmounts(tx, log, withdrawal, told);
  return true;
}

function isOlder({ toldAt }: Withdrawal, { at, status }: PayoutTold): boolean {
  const ends = status === 'completed' || status === 'failed' || status === 'canceled';
  return !ends && at !== null && toldAt !== null && at < toldAt;
}

/** `committed` comes before a recipient can be waited for; only `pending` ends that. */
function isStepBack({ status }: Withdrawal, told: PayoutTold): boolean {
  return status === 'WITHDRAWAL_PENDING_USER_ACTION' && told.status === 'committed';
}

function factsOf(tx: Tx, withdrawal: Withdrawal, { by, payoutId, at, status }: PayoutTold) {
  const meaning = MEANS[status];
  const isEnd = meaning !== 'pend' && meaning !== 'awaitUser';
  // What a notice has ended is looked at once more: should the record differ, that is found out.
  const next = isEnd && by === 'look' ? null : nextLookAt(withdrawal, tx.now);
  return { providerPayoutId: payoutId, toldAt: at, nextLookAt: next };
}

type Facts = ReturnType<typeof factsOf>;

const MOVES: Readonly<
  Record<Meaning, (tx: Tx, withdrawal: Withdrawal, told: PayoutTold, facts: Facts) => Promise<void>>
> = {
  pend: async (tx, withdrawal, _, facts) => {
    const pending = await moveWithdrawal(tx, withdrawal, 'pend', facts);
    const { id, userId, amount } = pending;
    // Known to the provider by our own id too, should it not have told us its name yet.
    const providerPayoutId = pending.providerPayoutId ?? id;
    const payload = { withdrawalId: id, userId, providerPayoutId, amount: amount.text };
    await emit(tx, 'withdrawal.pending', id, payload);
    await tellAudit(tx, 'WITHDRAWAL_PENDING', withdrawal, pending);
  },
  awaitUser: async (tx, withdrawal, told, facts) => {
    const actionRequired = told.reason ?? 'The recipient must act at the payment provider.';
    const waiting = await moveWithdrawal(tx, withdrawal, 'awaitUser', { ...facts, actionRequired });
    const { id, userId } = waiting;
    const payload = { withdrawalId: id, userId, actionRequired };
    await emit(tx, 'withdrawal.pending_user_action', id, payload);
    await tellAudit(tx, 'WITHDRAWAL_PENDING_USER_ACTION', withdrawal, waiting, { actionRequired });
  },
  complete: (tx, withdrawal, _, facts) => completeWithdrawal(tx, withdrawal, facts),
  fail: (tx, withdrawal, { reason, reasonCode: errorCode }, facts) => {
    const failure = { reason: reason ?? 'The payment provider gives no reason.', errorCode };
    return failWithdrawal(tx, withdrawal, failure, facts);
  },
  canceledOutside: (tx, withdrawal, { reason, reasonCode: errorCode }, facts) =>
    cancelWithdrawal(tx, withdrawal, { reason, errorCode }, facts),
};

async function tellAudit(
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

/** The same end again changes nothing; another one moves money that the books have elsewhere. */
async function applyAfterEnd(
  tx: Tx,
  log: Log,
  withdrawal: Withdrawal,
  told: PayoutTold,
): Promise<Applied> {
  const { status } = told;
  const isEnd = status === 'completed' || status === 'failed' || status === 'canceled';
  // A look that finds it on its way goes on waiting for the end that a notice told.
  if (!isEnd) return { notBecause: 'it has ended' };
  const isContradicted = await compareAmounts(tx, log, withdrawal, told);
  await lookAgainAt(tx, withdrawal, told.by === 'look' ? null : nextLookAt(withdrawal, tx.now));
  return isContradicted ? true : { notBecause: 'it has ended so' };
}

/** True when the provider has paid more or less than the books say. */
async function compareAmounts(
  tx: Tx,
  log: Log,
  withdrawal: Withdrawal,
  { by, status, amountMinor }: PayoutTold,
): Promise<boolean> {
  const { id, amount, currency } = withdrawal;
  const paidMinor = status === 'completed' ? (amountMinor ?? amount.minor) : 0n;
  const paid = Money.ofMinor(paidMinor, currency);
  const note = `the provider says ${status} of ${withdrawal.status}`;
  const difference = await suspendWithdrawal(tx, withdrawal, paid, note);
  if (difference === 0n) return false;
  const suspended = minorText(difference);
  log.error({ withdrawalId: id, by, status, suspended }, 'raise contradicting payout');
  await audit(tx, {
    action: 'WITHDRAWAL_MONEY_SUSPENDED',
    resourceId: id,
    after: { providerSays: status, by, paid: paid.text, suspended, currency },
    reason: note,
    result: 'FAILURE',
  });
  return true;
}

/** A verified notice, applied at once where it fits; else the provider's record decides. */
export async function applyPayoutNotice(
  app: Transactor,
  call: Call,
  withdrawalId: WithdrawalId,
  notice: PaymentNotice,
  seal: Seal,
): Promise<Verdict> {
  if (!isPayoutNotice(notice)) return { kind: 'wrong', reason: 'it is about no pay-out' };
  const { id, code, status, occurredAt, amountMinor, reasonCode, reasonDescription } = notice;
  const told: PayoutTold = {
    by: 'notice',
    // Either name may stand there; ours is no name of the provider's.
    payoutId: id === withdrawalId || id === code ? null : id,
    status,
    at: occurredAt,
    amountMinor,
    reasonCode,
    reason: reasonDescription,
  };
  return transact(app, call, async (tx): Promise<Verdict> => {
    const withdrawal = await lockWithdrawal(tx, withdrawalId);
    const contradiction = contradictionOf(withdrawal, told, notice.currency);
    if (contradiction !== undefined) {
      if (!hasEnded(withdrawal) && withdrawal.committedAt !== null)
        await lookAgainAt(tx, withdrawal, tx.now);
      return { kind: 'wrong', reason: contradiction };
    }
    const applied = await applyPayout(tx, app.log, withdrawal, told);
    await seal(tx, applied === true ? 'APPLIED' : 'SUPERSEDED');
    return applied === true
      ? { kind: 'applied' }
      : { kind: 'superseded', reason: applied.notBecause };
  });
}

/** The provider counts in dollars, whichever of the two the user's balance is in. */
function contradictionOf(
  { destination, amount, currency, providerPayoutId }: Withdrawal,
  { amountMinor, payoutId }: PayoutTold,
  noticeCurrency: string | null,
): string | undefined {
  if (destination.type === 'crypto') return 'the withdrawal goes over the network';
  if (providerPayoutId !== null && payoutId !== null && payoutId !== providerPayoutId)
    return 'the pay-out is not the one that we sent';
  if (amountMinor !== null && amountMinor !== amount.minor) return 'the amount is another';
  if (noticeCurrency !== null && noticeCurrency !== 'USD' && noticeCurrency !== currency)
    return 'the currency is another';
  return undefined;
}
