import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PaymentProvider } from '../../providers/payments/payment-provider.ts';
import {
  entriesOf,
  holdsOf,
  instead,
  payoutEffects,
  payoutNotification,
  statusOf,
  usePayoutWorld,
  withdrawalIn,
} from '../../testing/withdrawals.ts';
import { applyPayoutNotification } from './apply-payout-notification.ts';
import { commitWithdrawal } from './commit-withdrawal.ts';

const { world, market } = usePayoutWorld();
let payments: PaymentProvider;
beforeAll(() => {
  if (world.custody.payments === undefined) throw new Error('the sandbox has a payment provider');
  ({ payments } = world.custody);
});
afterEach(() => void Object.assign(world.custody, { payments }));

function replacePayments(changes: Partial<PaymentProvider>): void {
  Object.assign(world.custody, { payments: instead(payments, changes) });
}

const died = new Error('the process is gone');
const DEATHS: readonly [string, Partial<PaymentProvider>][] = [
  ['before the payout is made', { createPayout: () => Promise.reject(died) }],
  [
    'after the payout is made',
    { createPayout: (wanted) => payments.createPayout(wanted).then(() => Promise.reject(died)) },
  ],
  ['before it is committed', { commitPayout: () => Promise.reject(died) }],
  [
    'after it is committed',
    { commitPayout: (id) => payments.commitPayout(id).then(() => Promise.reject(died)) },
  ],
];

describe('a worker that dies', () => {
  it.each(DEATHS)('%s: another finishes it, once', async (_, changes) => {
    const one = await withdrawalIn(world, market, 'WITHDRAWAL_CREATED');
    replacePayments(changes);
    await expect(commitWithdrawal(world.app, market.call, one.id)).rejects.toThrow();
    expect(await statusOf(world, market, one.id)).toBe('WITHDRAWAL_COMMITTED');
    replacePayments({});
    expect(await world.engine.runWorker()).toBe(0);
    expect(await statusOf(world, market, one.id)).toBe('WITHDRAWAL_PENDING');
    expect(await payoutEffects(world, one.id)).toEqual(['create', 'commit']);
    expect(await holdsOf(world, market, one)).toBe('30.00 20.00');
  });

  it('after a refused commit: given back once, and canceled at the provider', async () => {
    const one = await withdrawalIn(world, market, 'WITHDRAWAL_CREATED');
    await world.sandbox.arm('payment', 'payout.commit', 'reject');
    replacePayments({ cancelPayout: () => Promise.reject(died) });
    await expect(commitWithdrawal(world.app, market.call, one.id)).rejects.toThrow();
    expect(await statusOf(world, market, one.id)).toBe('WITHDRAWAL_FAILED');
    replacePayments({});
    expect(await world.engine.runWorker()).toBe(0);
    expect(await entriesOf(world, one.id)).toHaveLength(2);
    expect(await payoutEffects(world, one.id)).toEqual(['create', 'cancel']);
  });
});

describe('a webhook that arrives before the saga is done', () => {
  it.each([
    ['completed', 'WITHDRAWAL_COMPLETED', '30.00 0.00'],
    ['failed', 'WITHDRAWAL_FAILED', '50.00 0.00'],
  ] as const)('says %s: the saga finds it ended', async (status, ended, left) => {
    const one = await withdrawalIn(world, market, 'WITHDRAWAL_CREATED');
    replacePayments({
      commitPayout: async (id) => {
        await world.sandbox.setPayout(one.id, status.toUpperCase());
        const sent = await payments.commitPayout(id);
        const notification = payoutNotification(one, status, { id });
        await applyPayoutNotification(
          world.app,
          market.call,
          one.id,
          notification,
          async () => undefined,
        );
        return sent;
      },
    });
    expect((await commitWithdrawal(world.app, market.call, one.id)).status).toBe(ended);
    expect(await holdsOf(world, market, one)).toBe(left);
    expect(await entriesOf(world, one.id)).toHaveLength(2);
  });
});

it('suspense shows a commit that was refused and yet paid', async () => {
  const one = await withdrawalIn(world, market, 'WITHDRAWAL_CREATED');
  replacePayments({
    commitPayout: async (id) => {
      await world.sandbox.setPayout(one.id, 'COMPLETED');
      await payments.commitPayout(id);
      return { kind: 'refused', code: 'unprocessable', reason: 'it says no' };
    },
  });
  expect((await commitWithdrawal(world.app, market.call, one.id)).status).toBe('WITHDRAWAL_FAILED');
  expect(await entriesOf(world, one.id)).toEqual([
    'withdrawal_hold 20.00',
    'withdrawal_hold_return 20.00',
    'withdrawal_suspense 20.00',
  ]);
  expect(await holdsOf(world, market, one)).toBe('50.00 0.00');
});
