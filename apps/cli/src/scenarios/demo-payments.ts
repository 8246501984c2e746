//! Top-ups and withdrawals of the demo marketplace, in different states.
import type { Topup, Withdrawal } from '@holdfast/sdk';
import { personNamed } from './people.ts';
import type { ScenarioContext } from './scenario.ts';

export interface DemoPayment {
  readonly title: string;
  /** Whose, and how much: how a later run knows that it is there. */
  readonly user: string;
  readonly amount: string;
  run(context: ScenarioContext, payment: DemoPayment, before: Before): Promise<void>;
}

/** What was there before this run. */
export interface Before {
  readonly topups: readonly Topup[];
  readonly withdrawals: readonly Withdrawal[];
}

const PAGE_MAX = 100;

export async function paymentsBefore({ holdfast }: ScenarioContext): Promise<Before> {
  const limit = PAGE_MAX;
  const [topups, withdrawals] = await Promise.all([
    holdfast.topups.list({ limit }).toArray(PAGE_MAX),
    holdfast.withdrawals.list({ limit }).toArray(PAGE_MAX),
  ]);
  return { topups, withdrawals };
}

const topup =
  (end?: 'CONFIRMED' | 'FAILED' | 'taken back'): DemoPayment['run'] =>
  async (context, { user, amount }, { topups }) => {
    const { holdfast, sandbox } = context;
    const { id: userId } = await personNamed(context, user);
    if (topups.some((each) => each.userId === userId && each.amount === amount)) return;
    const { id } = await holdfast.topups.create({ userId, amount });
    if (end === 'taken back') await holdfast.topups.cancel(id, { reason: 'Created twice' });
    else if (end !== undefined) await sandbox.endPayin(id, end);
  };

const withdrawal =
  (end?: 'COMPLETED' | 'FAILED' | 'sent'): DemoPayment['run'] =>
  async (context, { user, amount }, { withdrawals }) => {
    const { holdfast, sandbox } = context;
    const { id: userId, email } = await personNamed(context, user);
    if (withdrawals.some((each) => each.userId === userId && each.amount === amount)) return;
    const destination = { type: 'payment_account', ref: email ?? '' } as const;
    const input = { userId, amount, currency: 'USD', destination } as const;
    const { id } = await holdfast.withdrawals.create(input);
    if (end === undefined) return;
    await holdfast.withdrawals.commit(id);
    if (end !== 'sent') await sandbox.endPayout(id, end);
  };

// biome-ignore format: a table is the one thing exempt from the line limit.
export const DEMO_PAYMENTS: readonly DemoPayment[] = [
  { title: 'an unpaid top-up', user: 'ada', amount: '80.00', run: topup() },
  { title: 'a top-up', user: 'cyd', amount: '250.00', run: topup('CONFIRMED') },
  { title: 'a declined top-up', user: 'eve', amount: '60.00', run: topup('FAILED') },
  { title: 'a canceled top-up', user: 'eve', amount: '40.00', run: topup('taken back') },
  { title: 'an uncommitted withdrawal', user: 'bob', amount: '35.00', run: withdrawal() },
  { title: 'a pending withdrawal', user: 'bob', amount: '120.00', run: withdrawal('sent') },
  { title: 'a withdrawal', user: 'flo', amount: '90.00', run: withdrawal('COMPLETED') },
  { title: 'a returned withdrawal', user: 'flo', amount: '25.00', run: withdrawal('FAILED') },
  { title: 'a withdrawal that waits for its recipient', user: 'signup.lou', amount: '15.00', run: withdrawal('sent') },
];
