//! The story of a top-up or a withdrawal: who asked, what the provider said, which money moved.
import type { Holdfast } from '@holdfast/sdk';
import { moneyText, timeText } from '../terminal/words.ts';
import type { Story } from './story.ts';
import { tracesOf } from './traces.ts';

export async function topupStory(holdfast: Holdfast, id: string): Promise<Story> {
  const topup = await holdfast.topups.get(id);
  return {
    kind: 'top-up',
    id,
    status: topup.status,
    record: topup,
    fields: [
      ['amount', moneyText(topup.amount, topup.currency)],
      ['user', topup.userId],
      ['pay page', topup.confirmationUri],
      ['at the provider', topup.providerPayinId],
      ['why', topup.failureReason],
      ['created', timeText(topup.createdAt)],
    ],
    items: await tracesOf(holdfast, topup),
  };
}

export async function withdrawalStory(holdfast: Holdfast, id: string): Promise<Story> {
  const withdrawal = await holdfast.withdrawals.get(id);
  const { destination } = withdrawal;
  return {
    kind: 'withdrawal',
    id,
    status: withdrawal.status,
    record: withdrawal,
    fields: [
      ['amount', moneyText(withdrawal.amount, withdrawal.currency)],
      ['user', withdrawal.userId],
      ['to', `${destination.type} ${destination.ref}`],
      ['at the provider', withdrawal.providerPayoutId],
      ['transaction', withdrawal.transactionHash],
      ['recipient must', withdrawal.actionRequired],
      ['why', withdrawal.failureReason],
      ['created', timeText(withdrawal.createdAt)],
    ],
    items: await tracesOf(holdfast, withdrawal),
    ...(withdrawal.status === 'WITHDRAWAL_CREATED' && {
      next: `holdfast withdrawals commit ${id} --yes`,
    }),
  };
}
