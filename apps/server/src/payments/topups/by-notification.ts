//! Applies a verified notification to a top-up at once: by the provider's record, where that has
//! reached its end, otherwise by the notification alone, and a poll of the record follows. A
//! notification moves money at most once; beyond that the record decides.

import { canMove } from '@holdfast/contract/machine';
import { topupMachine } from '@holdfast/contract/machines/topup-machine';
import { findOpenOperation } from '../../engine/operation.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { MONEY_UNCONFIRMED, TOPUP_NOTIFICATION_CONFLICT } from '../../platform/process/alarms.ts';
import type { Log } from '../../platform/process/log.ts';
import type { ApplyResult } from '../../providers/notification.ts';
import { applyRecord, failureOf, PROVIDER } from './by-record.ts';
import { CANCEL_TOPUP } from './operation-kinds.ts';
import { differenceOf, fits, moneyOf, type PayinObservation } from './payin-observation.ts';
import { receiveMoney } from './received-money.ts';
import { hasEnded, recordPayin, type Topup } from './topup.ts';
import { cancel, fail, startProcessing, succeed } from './topup-moves.ts';
import { schedulePoll } from './topup-poll.ts';

interface Logged {
  readonly log: Log;
}

const APPLIED: ApplyResult = { kind: 'applied' };
const superseded = (reason: string): ApplyResult => ({ kind: 'superseded', reason });
const waits = (reason: string): ApplyResult => ({ kind: 'waits', reason });
const wrong = (reason: string): ApplyResult => ({ kind: 'wrong', reason });

/**
 * The caller has locked the top-up. Unless the notification is old news or has to wait, the record
 * is polled soon. The record is undefined where it could not be read in time.
 */
export async function applyNotification(
  app: Logged,
  tx: Tx,
  topup: Topup,
  notification: PayinObservation,
  record: PayinObservation | undefined,
): Promise<ApplyResult> {
  if (record !== undefined && isEnd(record) && credits(topup, notification))
    return applyEnd(app, tx, topup, notification, record);
  const verdict = await apply(app, tx, topup, notification);
  const isNews = verdict.kind !== 'superseded' || contradicts(topup, notification);
  if (isNews && verdict.kind !== 'waits') await schedulePoll(tx, topup.id);
  return verdict;
}

/** The record says what the notification would have us believe, and is final. */
async function applyEnd(
  app: Logged,
  tx: Tx,
  topup: Topup,
  notification: PayinObservation,
  record: PayinObservation,
): Promise<ApplyResult> {
  await applyRecord(app, tx, topup, record);
  if (record.status !== 'confirmed') logContradiction(app, topup, notification);
  return APPLIED;
}

function isEnd({ status }: PayinObservation): boolean {
  return status !== 'created' && status !== 'processing' && status !== 'unrecognised';
}

async function apply(
  app: Logged,
  tx: Tx,
  topup: Topup,
  notification: PayinObservation,
): Promise<ApplyResult> {
  if (namesAnother(topup, notification)) return wrong('The notification names a different pay-in.');
  if (notification.status === 'confirmed') return confirmed(app, tx, topup, notification);
  if (notification.code !== null && notification.code !== topup.id)
    return wrong(differenceOf(topup, notification));
  const known = await recordPayin(tx, topup, notification);
  switch (notification.status) {
    case 'created':
      return known.status === 'TOPUP_CREATED'
        ? waits('The payment page is being opened.')
        : superseded('The top-up is already past this status.');
    case 'processing':
      return processing(tx, known);
    case 'failed':
    case 'canceled':
      return notPaid(app, tx, known, notification);
    default:
      return wrong('The notification has an unknown pay-in status.');
  }
}

async function processing(tx: Tx, topup: Topup): Promise<ApplyResult> {
  if (!canMove(topupMachine, topup.status, 'startProcessing'))
    return superseded('The top-up is already past this status.');
  if (topup.providerPayinId === null) return waits('The payment page is being opened.');
  await startProcessing(tx, topup);
  return APPLIED;
}

async function confirmed(
  app: Logged,
  tx: Tx,
  topup: Topup,
  notification: PayinObservation,
): Promise<ApplyResult> {
  if (topup.received !== null) {
    if (contradicts(topup, notification)) logContradiction(app, topup, notification);
    return superseded('The payment is already booked.');
  }
  if (notification.code === null || notification.amountMinor === null)
    return { kind: 'early', reason: 'The notification has no code or no amount.' };
  const money = moneyOf(topup, notification);
  if (money === undefined || money.isZero) return wrong(differenceOf(topup, notification));
  if (credits(topup, notification)) {
    const paid = await succeed(tx, await recordPayin(tx, topup, notification), 'notification');
    await receiveMoney(app, tx, paid, money, 'The payment arrived.');
    app.log.warn({ topupId: topup.id, amount: money.text }, MONEY_UNCONFIRMED);
    return APPLIED;
  }
  const reason = fits(topup, notification)
    ? `The payment arrived when the top-up status was ${topup.status}.`
    : differenceOf(topup, notification);
  await receiveMoney(app, tx, topup, money, reason);
  return APPLIED;
}

function namesAnother({ providerPayinId }: Topup, { payinId }: PayinObservation): boolean {
  return providerPayinId !== null && payinId !== null && payinId !== providerPayinId;
}

/** The notification alone would credit the user. */
function credits(topup: Topup, notification: PayinObservation): boolean {
  return (
    notification.status === 'confirmed' &&
    topup.received === null &&
    !namesAnother(topup, notification) &&
    fits(topup, notification) &&
    canMove(topupMachine, topup.status, 'succeed')
  );
}

async function notPaid(
  app: Logged,
  tx: Tx,
  topup: Topup,
  notification: PayinObservation,
): Promise<ApplyResult> {
  if (!canMove(topupMachine, topup.status, 'fail')) {
    if (contradicts(topup, notification)) logContradiction(app, topup, notification);
    return superseded('The top-up has already ended.');
  }
  if (notification.status === 'failed') {
    await fail(tx, topup, failureOf(notification));
    return APPLIED;
  }
  // The caller whose cancellation is open is recorded as the one who canceled.
  if ((await findOpenOperation(tx, topup.id))?.kind === CANCEL_TOPUP)
    return waits('A cancellation is in progress.');
  const { reason } = notification;
  await cancel(tx, topup, 'canceledUpstream', { canceledBy: PROVIDER, reason });
  return APPLIED;
}

/** True when the top-up has ended otherwise than the notification says. */
function contradicts(topup: Topup, notification: PayinObservation): boolean {
  if (notification.status === 'confirmed')
    return topup.received !== null && moneyOf(topup, notification)?.equals(topup.received) !== true;
  const isPaid = topup.status === 'TOPUP_SUCCEEDED';
  return (
    hasEnded(topup) &&
    isPaid &&
    (notification.status === 'failed' || notification.status === 'canceled')
  );
}

function logContradiction(
  { log }: Logged,
  { id: topupId, status }: Topup,
  notification: PayinObservation,
) {
  log.error({ topupId, status, reported: notification.status }, TOPUP_NOTIFICATION_CONFLICT);
}
