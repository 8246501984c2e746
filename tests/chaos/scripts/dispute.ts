//! Funded, disputed, assigned, and decided in each of the three ways.
import { decide, dispute, road } from '../actions.ts';
import { create, expectEnd, type Life, walk } from '../life.ts';
import { amountText } from '../order.ts';
import type { Plan } from '../plan.ts';

export async function disputeRelease(life: Life): Promise<void> {
  await disputed(life, { decision: 'FULL_RELEASE' }, 'RELEASED');
}

export async function disputeRefund(life: Life): Promise<void> {
  await disputed(life, { decision: 'FULL_REFUND' }, 'REFUNDED');
}

export async function disputeSplit(life: Life): Promise<void> {
  await disputed(life, splitOf(life.plan), 'SPLIT');
}

async function disputed(life: Life, decision: object, closeReason: string): Promise<void> {
  const order = await create(life);
  const next = road({ atWork: dispute, disputed: decide(decision) });
  expectEnd(life, await walk(life, order, next), closeReason);
}

/** To the cent, and each side gets something. */
export function splitOf({ amount, random }: Plan): object {
  const released = BigInt(1 + random.below(Number(amount) - 1));
  return {
    decision: 'SPLIT',
    releaseAmount: amountText(released),
    refundAmount: amountText(amount - released),
  };
}
