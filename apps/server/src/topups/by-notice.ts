//! Brings a top-up to what a verified notice says, at once; a look at the provider's record
//! follows. A notice moves money at most once: whatever it says beyond that, the record decides.
import { canMove } from '@holdfast/contract/machine';
import { topupMachine } from '@holdfast/contract/topup-machine';
import { findOpenOperation } from '../engine/operation.ts';
import type { Log } from '../platform/log.ts';
import type { Tx } from '../platform/transact.ts';
import type { Verdict } from '../providers/notice.ts';
import { failureOf, PROVIDER } from './by-record.ts';
import { CANCEL_TOPUP } from './operation-kinds.ts';
import { receiveMoney } from './received-money.ts';
import { differenceOf, fits, moneyOf, type Sighting } from './sighting.ts';
import { hasEnded, notePayin, type Topup } from './topup.ts';
import { scheduleLook } from './topup-look.ts';
import { cancel, fail, startProcessing, succeed } from './topup-moves.ts';

interface Logged {
  readonly log: Log;
}

const APPLIED: Verdict = { kind: 'applied' };
const superseded = (reason: string): Verdict => ({ kind: 'superseded', reason });
const waits = (reason: string): Verdict => ({ kind: 'waits', reason });
const wrong = (reason: string): Verdict => ({ kind: 'wrong', reason });

/** The top-up is locked. Whatever comes of it, the record is looked at soon. */
export async function followNotice(
  app: Logged,
  tx: Tx,
  topup: Topup,
  notice: Sighting,
): Promise<Verdict> {
  const verdict = await follow(app, tx, topup, notice);
  const isNews = verdict.kind !== 'superseded' || contradicts(topup, notice);
  if (isNews && verdict.kind !== 'waits') await scheduleLook(tx, topup.id);
  return verdict;
}

async function follow(app: Logged, tx: Tx, topup: Topup, notice: Sighting): Promise<Verdict> {
  const { providerPayinId } = topup;
  if (providerPayinId !== null && notice.payinId !== null && notice.payinId !== providerPayinId)
    return wrong('it names another pay-in');
  if (notice.status === 'confirmed') return confirmed(app, tx, topup, notice);
  if (notice.code !== null && notice.code !== topup.id) return wrong(differenceOf(topup, notice));
  const known = await notePayin(tx, topup, notice);
  switch (notice.status) {
    case 'created':
      return known.status === 'TOPUP_CREATED'
        ? waits('the pay page is being opened')
        : superseded('it has come that far');
    case 'processing':
      return processing(tx, known);
    case 'failed':
    case 'canceled':
      return notPaid(app, tx, known, notice);
    default:
      return wrong('it says nothing that a pay-in can be');
  }
}

async function processing(tx: Tx, topup: Topup): Promise<Verdict> {
  if (!canMove(topupMachine, topup.status, 'startProcessing'))
    return superseded('it has come that far');
  if (topup.providerPayinId === null) return waits('the pay page is being opened');
  await startProcessing(tx, topup);
  return APPLIED;
}

async function confirmed(app: Logged, tx: Tx, topup: Topup, notice: Sighting): Promise<Verdict> {
  if (topup.received !== null) {
    if (contradicts(topup, notice)) tellContradiction(app, topup, notice);
    return superseded('what came in is booked; the record decides about more');
  }
  if (notice.code === null || notice.amountMinor === null)
    return { kind: 'early', reason: 'it tells no code or no amount' };
  const money = moneyOf(topup, notice);
  if (money === undefined || money.isZero) return wrong(differenceOf(topup, notice));
  if (fits(topup, notice) && canMove(topupMachine, topup.status, 'succeed')) {
    const paid = await succeed(tx, await notePayin(tx, topup, notice));
    await receiveMoney(app, tx, paid, money, 'it came in');
    return APPLIED;
  }
  const reason = fits(topup, notice)
    ? `it came in when ${topup.status}`
    : differenceOf(topup, notice);
  await receiveMoney(app, tx, topup, money, reason);
  return APPLIED;
}

async function notPaid(app: Logged, tx: Tx, topup: Topup, notice: Sighting): Promise<Verdict> {
  if (!canMove(topupMachine, topup.status, 'fail')) {
    if (contradicts(topup, notice)) tellContradiction(app, topup, notice);
    return superseded('it has ended');
  }
  if (notice.status === 'failed') {
    await fail(tx, topup, failureOf(notice));
    return APPLIED;
  }
  // Whoever asked us to cancel is the one who canceled.
  if ((await findOpenOperation(tx, topup.id))?.kind === CANCEL_TOPUP)
    return waits('we are canceling it ourselves');
  const { reason } = notice;
  await cancel(tx, topup, 'canceledOutside', { canceledBy: PROVIDER, reason });
  return APPLIED;
}

/** It ended, and not so. */
function contradicts(topup: Topup, notice: Sighting): boolean {
  if (notice.status === 'confirmed')
    return topup.received !== null && moneyOf(topup, notice)?.equals(topup.received) !== true;
  const isPaid = topup.status === 'TOPUP_SUCCEEDED';
  return hasEnded(topup) && isPaid && (notice.status === 'failed' || notice.status === 'canceled');
}

function tellContradiction({ log }: Logged, { id: topupId, status }: Topup, notice: Sighting) {
  log.error({ topupId, status, told: notice.status }, 'meet contradicting notice');
}
