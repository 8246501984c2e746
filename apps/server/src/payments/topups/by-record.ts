//! Applies the provider's own record to a top-up. The record is final: it also overrides a
//! notification that was believed before.
import { canMove } from '@holdfast/contract/machine';
import { topupMachine } from '@holdfast/contract/machines/topup-machine';
import { assert } from '@holdfast/kernel/assert';
import { Money } from '@holdfast/kernel/money';
import { confirmMoney } from '../../accounts/books/unconfirmed-money.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { Log } from '../../platform/process/log.ts';
import { differenceOf, fits, moneyOf, type PayinObservation } from './payin-observation.ts';
import { bookFee } from './provider-fee.ts';
import { receiveMoney } from './received-money.ts';
import { reinstate, reverse } from './reversal.ts';
import { recordPayin, type Topup } from './topup.ts';
import { awaitConfirmation, cancel, fail, startProcessing, succeed } from './topup-moves.ts';
import { endPolling, schedulePoll } from './topup-poll.ts';

/** How long a record may lag behind a notification that the provider has signed. */
const LAG_MS_MAX = 10 * 60_000;
export const PROVIDER = 'payment-provider';

interface Logged {
  readonly log: Log;
}

/** The caller has locked the top-up. Returns its new state. */
export async function applyRecord(
  app: Logged,
  tx: Tx,
  topup: Topup,
  record: PayinObservation,
): Promise<Topup> {
  const known = await recordPayin(tx, topup, record);
  switch (record.status) {
    case 'confirmed':
      return confirmed(app, tx, known, record);
    case 'reversed':
      return reversed(app, tx, known, record);
    case 'failed':
    case 'canceled':
      return notPaid(app, tx, known, record);
    default:
      return stillOpen(app, tx, await goOn(tx, known, record), record.status);
  }
}

/** The provider has no record under the top-up's code. */
export function applyMissingRecord(app: Logged, tx: Tx, topup: Topup): Promise<Topup> {
  return stillOpen(app, tx, topup, 'not there');
}

async function confirmed(
  app: Logged,
  tx: Tx,
  topup: Topup,
  record: PayinObservation,
): Promise<Topup> {
  const money = moneyOf(topup, record);
  assert(money !== undefined, 'a record has its amount');
  const isRight = fits(topup, record);
  const reason = isRight
    ? `The payment arrived when the top-up status was ${topup.status}.`
    : differenceOf(topup, record);
  let next = topup;
  if (canMove(topupMachine, topup.status, 'succeed'))
    next = isRight
      ? await succeed(tx, topup, 'record')
      : await fail(tx, topup, { reason, errorCode: 'AMOUNT_MISMATCH' });
  // A reversal that is undone is read again: this record may have been fetched before the reversal.
  await (topup.reversed > 0n ? schedulePoll(tx, topup.id) : endPolling(tx, topup.id));
  if (isRight) await confirmMoney(tx, topup.id);
  // Of another payment than the credited one, nothing comes to the user, nor comes again.
  const received = await receiveMoney(
    app,
    tx,
    next,
    isRight ? money : withReversed(topup, money),
    reason,
  );
  const charged = await bookFee(tx, received, BigInt(record.feeMinor ?? 0));
  return isRight ? reinstate(tx, charged) : charged;
}

/** The payer's bank has taken the payment back; the provider's fee stays. */
async function reversed(
  app: Logged,
  tx: Tx,
  topup: Topup,
  record: PayinObservation,
): Promise<Topup> {
  const reason = 'The payment was reversed.';
  const next = canMove(topupMachine, topup.status, 'fail')
    ? await fail(tx, topup, { reason, errorCode: 'PAYMENT_REVERSED' })
    : topup;
  await endPolling(tx, topup.id);
  const charged = await bookFee(tx, next, BigInt(record.feeMinor ?? 0));
  return clearReceived(app, tx, await reverse(tx, charged), reason);
}

async function notPaid(
  app: Logged,
  tx: Tx,
  topup: Topup,
  record: PayinObservation,
): Promise<Topup> {
  const { status, reason } = record;
  let next = topup;
  if (canMove(topupMachine, topup.status, 'fail'))
    next =
      status === 'failed'
        ? await fail(tx, topup, failureOf(record))
        : await cancel(tx, topup, 'canceledUpstream', { canceledBy: PROVIDER, reason });
  await endPolling(tx, topup.id);
  return takeBack(app, tx, next, `The provider's record says ${status}.`);
}

async function goOn(tx: Tx, topup: Topup, { status }: PayinObservation): Promise<Topup> {
  const move = status === 'created' ? 'awaitConfirmation' : 'startProcessing';
  if (status === 'unrecognised' || !canMove(topupMachine, topup.status, move)) return topup;
  await schedulePoll(tx, topup.id);
  return move === 'awaitConfirmation' ? awaitConfirmation(tx, topup) : startProcessing(tx, topup);
}

/**
 * A notification reported more than the record shows. The record may catch up, within LAG_MS_MAX.
 * After a reversal nothing is left that it could contradict.
 */
async function stillOpen(app: Logged, tx: Tx, topup: Topup, status: string): Promise<Topup> {
  const { receivedAt, reversed } = topup;
  if (receivedAt === null || reversed > 0n || tx.now - receivedAt < LAG_MS_MAX) return topup;
  return takeBack(app, tx, topup, `The provider's record still says ${status}.`);
}

/** The payment was never made, so the provider has taken no fee of it either. */
async function takeBack(app: Logged, tx: Tx, topup: Topup, reason: string): Promise<Topup> {
  if (topup.received === null) return topup;
  return bookFee(tx, await clearReceived(app, tx, topup, reason), 0n);
}

/** Nothing of the payment is there: suspense has what was credited and not taken back. */
async function clearReceived(app: Logged, tx: Tx, topup: Topup, reason: string): Promise<Topup> {
  const { received, currency } = topup;
  if (received === null) return topup;
  return receiveMoney(app, tx, topup, withReversed(topup, Money.ofMinor(0n, currency)), reason);
}

/** What is there of a payment, and what was credited and taken back. */
function withReversed({ reversed, currency }: Topup, there: Money): Money {
  return there.currency === currency ? there.plus(Money.ofMinor(reversed, currency)) : there;
}

/** The provider's reason and code, or our own text where it gives no reason. */
export function failureOf({ reason, errorCode }: PayinObservation) {
  return {
    reason: reason ?? 'The payment provider reported a failure without a reason.',
    errorCode,
  };
}
