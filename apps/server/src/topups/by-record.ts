//! Brings a top-up to what the provider's own record says. The record settles the matter: also
//! against a notice that was believed before.
import { canMove } from '@holdfast/contract/machine';
import { topupMachine } from '@holdfast/contract/topup-machine';
import { assert } from '@holdfast/kernel/assert';
import { Money } from '@holdfast/kernel/money';
import type { Log } from '../platform/log.ts';
import type { Tx } from '../platform/transact.ts';
import { receiveMoney } from './received-money.ts';
import { differenceOf, fits, moneyOf, type Sighting } from './sighting.ts';
import { notePayin, type Topup } from './topup.ts';
import { endLooks, scheduleLook } from './topup-look.ts';
import { awaitConfirmation, cancel, fail, startProcessing, succeed } from './topup-moves.ts';

/** So long a record may lag behind a notice that its provider has signed. */
const LAG_MS_MAX = 10 * 60_000;
export const PROVIDER = 'payment-provider';

interface Logged {
  readonly log: Log;
}

/** The top-up is locked. Answers it as it is then. */
export async function followRecord(
  app: Logged,
  tx: Tx,
  topup: Topup,
  record: Sighting,
): Promise<Topup> {
  const known = await notePayin(tx, topup, record);
  switch (record.status) {
    case 'confirmed':
      return confirmed(app, tx, known, record);
    case 'failed':
    case 'canceled':
      return notPaid(app, tx, known, record);
    default:
      return stillOpen(app, tx, await goOn(tx, known, record), record.status);
  }
}

/** Nothing is there under its code. */
export function missRecord(app: Logged, tx: Tx, topup: Topup): Promise<Topup> {
  return stillOpen(app, tx, topup, 'not there');
}

async function confirmed(app: Logged, tx: Tx, topup: Topup, record: Sighting): Promise<Topup> {
  const money = moneyOf(topup, record);
  assert(money !== undefined, 'a record tells its amount');
  const isRight = fits(topup, record);
  const reason = isRight ? `it came in when ${topup.status}` : differenceOf(topup, record);
  let next = topup;
  if (canMove(topupMachine, topup.status, 'succeed'))
    next = isRight
      ? await succeed(tx, topup)
      : await fail(tx, topup, { reason, errorCode: 'AMOUNT_MISMATCH' });
  await endLooks(tx, topup.id);
  return receiveMoney(app, tx, next, money, reason);
}

async function notPaid(app: Logged, tx: Tx, topup: Topup, record: Sighting): Promise<Topup> {
  const { status, reason } = record;
  let next = topup;
  if (canMove(topupMachine, topup.status, 'fail'))
    next =
      status === 'failed'
        ? await fail(tx, topup, failureOf(record))
        : await cancel(tx, topup, 'canceledOutside', { canceledBy: PROVIDER, reason });
  await endLooks(tx, topup.id);
  return takeBack(app, tx, next, `the provider's record says ${status}`);
}

async function goOn(tx: Tx, topup: Topup, { status }: Sighting): Promise<Topup> {
  const move = status === 'created' ? 'awaitConfirmation' : 'startProcessing';
  if (status === 'unrecognised' || !canMove(topupMachine, topup.status, move)) return topup;
  await scheduleLook(tx, topup.id);
  return move === 'awaitConfirmation' ? awaitConfirmation(tx, topup) : startProcessing(tx, topup);
}

/** A notice said more than the record shows. That may still come, but not for ever. */
async function stillOpen(app: Logged, tx: Tx, topup: Topup, status: string): Promise<Topup> {
  const { receivedAt } = topup;
  if (receivedAt === null || tx.now - receivedAt < LAG_MS_MAX) return topup;
  return takeBack(app, tx, topup, `the provider's record still says ${status}`);
}

async function takeBack(app: Logged, tx: Tx, topup: Topup, reason: string): Promise<Topup> {
  if (topup.received === null) return topup;
  return receiveMoney(app, tx, topup, Money.zero(topup.currency), reason);
}

/** What the provider says of why, in our words where it says nothing. */
export function failureOf({ reason, errorCode }: Sighting) {
  return { reason: reason ?? 'the payment provider reported a failure', errorCode };
}
