//! Sets the outcome of a pay-in or a payout: POST /control/payins|payouts/{code} {status}.
import { PaymentRefusal } from '../payment/errors.ts';
import { cancelPayin, findPayin, findPayinByCode, settlePayin } from '../payment/payins.ts';
import { cancelPayout, findPayout, findPayoutByCode, settlePayout } from '../payment/payouts.ts';
import type { Payin, Payout } from '../payment/records.ts';
import type { World } from '../world.ts';
import { ControlRefusal } from './input.ts';

export const PAYIN_OUTCOMES = ['CONFIRMED', 'FAILED', 'CANCELED'] as const;
export const PAYOUT_OUTCOMES = ['COMPLETED', 'FAILED', 'CANCELED'] as const;

type PayinOutcome = (typeof PAYIN_OUTCOMES)[number];
type PayoutOutcome = (typeof PAYOUT_OUTCOMES)[number];

/** Named by our own code, or by the provider's id where a payout has no code. */
export function decidePayin(world: World, name: string, to: PayinOutcome): Payin {
  const payin = findPayinByCode(world, name) ?? findPayin(world, name);
  if (payin === undefined) throw new ControlRefusal(404, `pay-in ${name} not found`);
  if (payin.status === to) return payin;
  return decide(payin.status, to, () =>
    to === 'CANCELED' ? cancelPayin(world, payin) : settlePayin(world, payin, to),
  );
}

/** Before the commit an outcome is only remembered: nothing is on its way yet. */
export function decidePayout(world: World, name: string, to: PayoutOutcome): Payout {
  const payout = findPayoutByCode(world, name) ?? findPayout(world, name);
  if (payout === undefined) throw new ControlRefusal(404, `payout ${name} not found`);
  if (payout.status === to) return payout;
  return decide(payout.status, to, () => {
    if (to === 'CANCELED') return cancelPayout(world, payout);
    if (payout.status !== 'CREATED') return settlePayout(world, payout, to);
    const decided: Payout = { ...payout, outcome: to };
    world.store.put('payout', payout.id, decided);
    return decided;
  });
}

const FINAL = ['CONFIRMED', 'COMPLETED', 'FAILED', 'CANCELED'];

function decide<T>(from: string, to: string, act: () => T): T {
  const no = new ControlRefusal(409, `the payment is ${from} and cannot change to ${to}`);
  if (FINAL.includes(from)) throw no;
  try {
    return act();
  } catch (error) {
    throw error instanceof PaymentRefusal ? no : error;
  }
}
