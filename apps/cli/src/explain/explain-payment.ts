//! Explains a top-up or a withdrawal: who requested it, the provider's replies, the money moved.
import type { Holdfast } from '@holdfast/sdk';
import { COMMAND } from '../entries.ts';
import { topupFields, withdrawalFields } from '../terminal/record-fields.ts';
import { type Explanation, explained } from './explanation.ts';
import { timelineOf } from './record-timeline.ts';

export async function explainTopup(holdfast: Holdfast, id: string): Promise<Explanation> {
  const topup = await holdfast.topups.get(id);
  return explained('top-up', topup, {
    fields: topupFields(topup),
    items: await timelineOf(holdfast, topup),
  });
}

export async function explainWithdrawal(holdfast: Holdfast, id: string): Promise<Explanation> {
  const withdrawal = await holdfast.withdrawals.get(id);
  return explained('withdrawal', withdrawal, {
    fields: withdrawalFields(withdrawal),
    items: await timelineOf(holdfast, withdrawal),
    ...(withdrawal.status === 'WITHDRAWAL_CREATED' && {
      next: `${COMMAND} withdrawals commit ${id}`,
    }),
  });
}
