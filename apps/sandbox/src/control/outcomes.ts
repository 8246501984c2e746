//! Sets the outcome of a pay-in or a payout, POST /control/payins|payouts/{code} {status}, and
//! takes one back that had ended.
import { PaymentRefusal } from '../payment/errors.ts';
import {
  cancelPayin,
  findPayin,
  findPayinByCode,
  reinstatePayin,
  reversePayin,
  settlePayin,
} from '../payment/payins.ts';
import {
  cancelPayout,
  findPayout,
  findPayoutByCode,
  returnPayout,
  settlePayout,
} from '../payment/payouts.ts';
import type { Payin, Payout } from '../payment/records.ts';
import type { World } from '../world.ts';
import { ControlRefusal } from './input.ts';

export const PAYIN_OUTCOMES = ['CONFIRMED', 'FAILED', 'CANCELED'] as const;
export const PAYOUT_OUTCOMES = ['COMPLETED', 'FAILED', 'CANCELED'] as const;

type PayinOutcome = (typeof PAYIN_OUTCOMES)[number];
type PayoutOutcome = (typeof PAYOUT_OUTCOMES)[number];

/** Named by our own code, or by the provider's id where a payout has no code. */
export function decidePayin(world: World, name: string, to: PayinOutcome): Payin {
  const payin = getPayin(world, name);
  if (payin.status === to) return payin;
  return decide(payin.status, to, () =>
    to === 'CANCELED' ? cancelPayin(world, payin) : settlePayin(world, payin, to),
  );
}

/** Before the commit an outcome is only remembered: nothing is on its way yet. */
export function decidePayout(world: World, name: string, to: PayoutOutcome): Payout {
  const payout = getPayout(world, name);
  if (payout.status === to) return payout;
  return decide(payout.status, to, () => {
    if (to === 'CANCELED') return cancelPayout(world, payout);
    if (payout.status !== 'CREATED') return settlePayout(world, payout, to);
    const decided: Payout = { ...payout, outcome: to };
    world.store.put('payout', payout.id, decided);
    return decided;
  });
}

/** The payer's bank takes a confirmed payment back: POST /control/payins/{code}/reverse. */
export function reverseConfirmed(world: World, name: string): Payin {
  const payin = getPayin(world, name);
  if (payin.status !== 'CONFIRMED') throw unable(payin.status, 'REVERSED');
  return reversePayin(world, payin);
}

/** A contested reversal is won: POST /control/payins/{code}/reinstate. */
export function reinstateReversed(world: World, name: string): Payin {
  const payin = getPayin(world, name);
  if (payin.status !== 'REVERSED') throw unable(payin.status, 'CONFIRMED');
  return reinstatePayin(world, payin);
}

/** The recipient's bank returns a completed payout: POST /control/payouts/{code}/return. */
export function returnCompleted(world: World, name: string): Payout {
  const payout = getPayout(world, name);
  if (payout.status !== 'COMPLETED') throw unable(payout.status, 'FAILED');
  return returnPayout(world, payout);
}

function getPayin(world: World, name: string): Payin {
  const payin = findPayinByCode(world, name) ?? findPayin(world, name);
  if (payin === undefined) throw new ControlRefusal(404, `pay-in ${name} not found`);
  return payin;
}

function getPayout(world: World, name: string): Payout {
  const payout = findPayoutByCode(world, name) ?? findPayout(world, name);
  if (payout === undefined) throw new ControlRefusal(404, `payout ${name} not found`);
  return payout;
}

const FINAL = ['CONFIRMED', 'REVERSED', 'COMPLETED', 'FAILED', 'CANCELED'];

function decide<T>(from: string, to: string, act: () => T): T {
  const no = unable(from, to);
  if (FINAL.includes(from)) throw no;
  try {
    return act();
  } catch (error) {
    throw error instanceof PaymentRefusal ? no : error;
  }
}

function unable(from: string, to: string): ControlRefusal {
  return new ControlRefusal(409, `the payment is ${from} and cannot change to ${to}`);
}
