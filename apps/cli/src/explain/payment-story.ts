//! The story of a top-up or a withdrawal: who asked, what the provider said, which money moved.
import type { Holdfast } from '@holdfast/sdk';
import { topupFields, withdrawalFields } from '../terminal/record-fields.ts';
import type { Story } from './story.ts';
import { tracesOf } from './traces.ts';

export async function topupStory(holdfast: Holdfast, id: string): Promise<Story> {
  const topup = await holdfast.topups.get(id);
  return {
    kind: 'top-up',
    id,
    status: topup.status,
    record: topup,
    fields: topupFields(topup),
    items: await tracesOf(holdfast, topup),
  };
}

export async function withdrawalStory(holdfast: Holdfast, id: string): Promise<Story> {
  const withdrawal = await holdfast.withdrawals.get(id);
  return {
    kind: 'withdrawal',
    id,
    status: withdrawal.status,
    record: withdrawal,
    fields: withdrawalFields(withdrawal),
    items: await tracesOf(holdfast, withdrawal),
    ...(withdrawal.status === 'WITHDRAWAL_CREATED' && {
      next: `holdfast withdrawals commit ${id} --yes`,
    }),
  };
}
