//! Top-ups and withdrawals of the demo marketplace, in different states.
import type { Topup, Withdrawal } from '@holdfast/sdk';
import { personNamed } from './people.ts';
import type { Stage } from './stage.ts';

export interface DemoPayment {
  readonly title: string;
  /** Whose, and how much: how a later run knows that it is there. */
  readonly user: string;
  readonly amount: string;
  play(stage: Stage, payment: DemoPayment, before: Before): Promise<void>;
}

/** What was there before this run. */
export interface Before {
  readonly topups: readonly Topup[];
  readonly withdrawals: readonly Withdrawal[];
}

const PAGE_MAX = 100;

export async function paymentsBefore({ holdfast }: Stage): Promise<Before> {
  const limit = PAGE_MAX;
  const [topups, withdrawals] = await Promise.all([
    holdfast.topups.list({ limit }).toArray(PAGE_MAX),
    holdfast.withdrawals.list({ limit }).toArray(PAGE_MAX),
  ]);
  return { topups, withdrawals };
}

const topup =
  (end?: 'CONFIRMED' | 'FAILED' | 'taken back'): DemoPayment['play'] =>
  async (stage, { user, amount }, { topups }) => {
    const { holdfast, sandbox } = stage;
    const { id: userId } = await personNamed(stage, user);
    if (topups.some((each) => each.userId === userId && each.amount === amount)) return;
    const { id } = await holdfast.topups.create({ userId, amount });
    if (end === 'taken back') await holdfast.topups.cancel(id, { reason: 'Asked for twice' });
    else if (end !== undefined) await sandbox.endPayin(id, end);
  };

const withdrawal =
  (end?: 'COMPLETED' | 'FAILED' | 'sent'): DemoPayment['play'] =>
  async (stage, { user, amount }, { withdrawals }) => {
    const { holdfast, sandbox } = stage;
    const { id: userId, email } = await personNamed(stage, user);
    if (withdrawals.some((each) => each.userId === userId && each.amount === amount)) return;
    const destination = { type: 'payment_account', ref: email ?? '' } as const;
    const wish = { userId, amount, currency: 'USD', destination } as const;
    const { id } = await holdfast.withdrawals.create(wish);
    if (end === undefined) return;
    await holdfast.withdrawals.commit(id);
    if (end !== 'sent') await sandbox.endPayout(id, end);
  };

// biome-ignore format: a table is the one thing exempt from the line limit.
export const DEMO_PAYMENTS: readonly DemoPayment[] = [
  { title: 'a top-up that waits for its payer', user: 'ada', amount: '80.00', play: topup() },
  { title: 'a top-up', user: 'cyd', amount: '250.00', play: topup('CONFIRMED') },
  { title: 'a top-up that is declined', user: 'eve', amount: '60.00', play: topup('FAILED') },
  { title: 'a top-up that is taken back', user: 'eve', amount: '40.00', play: topup('taken back') },
  { title: 'a withdrawal that waits for its commit', user: 'bob', amount: '35.00', play: withdrawal() },
  { title: 'a withdrawal on its way', user: 'bob', amount: '120.00', play: withdrawal('sent') },
  { title: 'a withdrawal', user: 'flo', amount: '90.00', play: withdrawal('COMPLETED') },
  { title: 'a withdrawal that comes back', user: 'flo', amount: '25.00', play: withdrawal('FAILED') },
  { title: 'a withdrawal whose recipient must act', user: 'signup.lou', amount: '15.00', play: withdrawal('sent') },
];
