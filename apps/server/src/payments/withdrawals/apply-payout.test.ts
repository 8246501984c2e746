import { afterAll, describe, expect, it } from 'vitest';
import { systemCall } from '../../platform/call.ts';
import { transact } from '../../platform/database/transact.ts';
import type { ApplyResult } from '../../providers/notification.ts';
import type { PayoutNotification } from '../../providers/payments/payment-notification.ts';
import type { PayoutStatus } from '../../providers/payments/payment-provider.ts';
import { desk } from '../../testing/operators.ts';
import { auditedBy, eventsOf, oneCall } from '../../testing/orders.ts';
import {
  entriesOf,
  holdsOf,
  payoutNotification,
  statusOf,
  usePayoutWorld,
  type WithdrawalIn,
  withdrawalIn,
} from '../../testing/withdrawals.ts';
import { applyPayout } from './apply-payout.ts';
import { applyPayoutNotification } from './apply-payout-notification.ts';
import { getWithdrawal } from './read-withdrawals.ts';
import { lockWithdrawal, type Withdrawal } from './withdrawal.ts';

const { world, market } = usePayoutWorld();
afterAll(() => world.engine.runWorker());

type State = Withdrawal['status'];

const seals: string[] = [];
const notify = (
  withdrawal: Pick<WithdrawalIn, 'id'>,
  status: PayoutStatus,
  changes: Partial<PayoutNotification> = {},
  of = market,
): Promise<ApplyResult> =>
  applyPayoutNotification(
    world.app,
    oneCall(of),
    withdrawal.id,
    payoutNotification(withdrawal, status, changes),
    async (_, as) => void seals.push(as),
  );

const OPEN = '30.00 20.00';
const BACK = '50.00 0.00';
const GONE = '30.00 0.00';
const HELD = 'withdrawal_hold 20.00';
const RETURNED = [HELD, 'withdrawal_hold_return 20.00'];
const PAID = [HELD, 'withdrawal_payout 20.00'];

const ENDS = {
  completed: ['WITHDRAWAL_COMPLETED', GONE],
  failed: ['WITHDRAWAL_FAILED', BACK],
  canceled: ['WITHDRAWAL_CANCELED', BACK],
} as const;

/** The state after each notification in each state; null where it does not change. */
const TABLE: readonly [State, PayoutStatus, State | null][] = [
  ['WITHDRAWAL_CREATED', 'created', null],
  ['WITHDRAWAL_CREATED', 'pending', 'WITHDRAWAL_PENDING'],
  ['WITHDRAWAL_CREATED', 'completed', 'WITHDRAWAL_COMPLETED'],
  ['WITHDRAWAL_CREATED', 'failed', 'WITHDRAWAL_FAILED'],
  ['WITHDRAWAL_COMMITTED', 'created', null],
  ['WITHDRAWAL_COMMITTED', 'unrecognised', null],
  ['WITHDRAWAL_COMMITTED', 'committed', 'WITHDRAWAL_PENDING'],
  ['WITHDRAWAL_COMMITTED', 'pending', 'WITHDRAWAL_PENDING'],
  ['WITHDRAWAL_COMMITTED', 'pending_user_action', 'WITHDRAWAL_PENDING_USER_ACTION'],
  ['WITHDRAWAL_COMMITTED', 'completed', 'WITHDRAWAL_COMPLETED'],
  ['WITHDRAWAL_COMMITTED', 'failed', 'WITHDRAWAL_FAILED'],
  ['WITHDRAWAL_COMMITTED', 'canceled', 'WITHDRAWAL_CANCELED'],
  ['WITHDRAWAL_PENDING', 'created', null],
  ['WITHDRAWAL_PENDING', 'committed', null],
  ['WITHDRAWAL_PENDING', 'pending', null],
  ['WITHDRAWAL_PENDING', 'pending_user_action', 'WITHDRAWAL_PENDING_USER_ACTION'],
  ['WITHDRAWAL_PENDING', 'completed', 'WITHDRAWAL_COMPLETED'],
  ['WITHDRAWAL_PENDING', 'failed', 'WITHDRAWAL_FAILED'],
  ['WITHDRAWAL_PENDING', 'canceled', 'WITHDRAWAL_CANCELED'],
  ['WITHDRAWAL_PENDING_USER_ACTION', 'committed', null],
  ['WITHDRAWAL_PENDING_USER_ACTION', 'pending_user_action', null],
  ['WITHDRAWAL_PENDING_USER_ACTION', 'pending', 'WITHDRAWAL_PENDING'],
  ['WITHDRAWAL_PENDING_USER_ACTION', 'completed', 'WITHDRAWAL_COMPLETED'],
  ['WITHDRAWAL_PENDING_USER_ACTION', 'failed', 'WITHDRAWAL_FAILED'],
  ['WITHDRAWAL_PENDING_USER_ACTION', 'canceled', 'WITHDRAWAL_CANCELED'],
];

describe('a payout notification', () => {
  it.each(TABLE)('on %s, with status %s, makes it %s', async (state, status, next) => {
    const withdrawal = await withdrawalIn(world, market, state);
    seals.length = 0;
    const { kind } = await notify(withdrawal, status);
    expect(await statusOf(world, market, withdrawal.id)).toBe(next ?? state);
    expect([kind, ...seals]).toEqual(
      next === null ? ['superseded', 'SUPERSEDED'] : ['applied', 'APPLIED'],
    );
    const end = Object.values(ENDS).find(([each]) => each === next);
    expect(await holdsOf(world, market, withdrawal)).toBe(end?.[1] ?? OPEN);
    // A repeat of any of them changes nothing.
    expect((await notify(withdrawal, status)).kind).toBe('superseded');
    expect(await holdsOf(world, market, withdrawal)).toBe(end?.[1] ?? OPEN);
  });

  it('that arrives late, with an older time, does not move the state back', async () => {
    const withdrawal = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
    const now = world.app.clock.now() + 60_000;
    await notify(withdrawal, 'pending_user_action', { occurredAt: now });
    const late = await notify(withdrawal, 'pending', { occurredAt: now - 1 });
    expect(late.kind).toBe('superseded');
    const status = () => statusOf(world, market, withdrawal.id);
    expect(await status()).toBe('WITHDRAWAL_PENDING_USER_ACTION');
    expect((await notify(withdrawal, 'pending', { occurredAt: now + 1 })).kind).toBe('applied');
    expect(await status()).toBe('WITHDRAWAL_PENDING');
  });

  it.each([
    ['amount', { amountMinor: 2001n }],
    ['currency', { currency: 'XLM' }],
    ['payout', { id: 'another-payout' }],
  ])('with another %s is not believed; the record is polled', async (_, changes) => {
    const withdrawal = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
    seals.length = 0;
    const verdict = await notify(withdrawal, 'completed', changes);
    expect([verdict.kind, seals]).toEqual(['wrong', []]);
    expect(await statusOf(world, market, withdrawal.id)).toBe('WITHDRAWAL_PENDING');
    expect(await holdsOf(world, market, withdrawal)).toBe(OPEN);
    const due = await world.rows('select from withdrawal where id = $1 and next_poll_at <= $2', [
      withdrawal.id,
      new Date(world.app.clock.now()).toISOString(),
    ]);
    expect(due).toHaveLength(1);
  });

  it('is applied once, however many workers have it', async () => {
    const withdrawal = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
    const verdicts = await Promise.all(
      Array.from({ length: 5 }, () => notify(withdrawal, 'completed')),
    );
    expect(verdicts.filter(({ kind }) => kind === 'applied')).toHaveLength(1);
    expect(await entriesOf(world, withdrawal.id)).toEqual(PAID);
  });

  it('stores the action that is needed, and the reason of a failure', async () => {
    const waiting = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
    await notify(waiting, 'pending_user_action', { reasonDescription: 'Open an account.' });
    const failed = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
    await notify(failed, 'failed', { reasonCode: '415060', reasonDescription: 'cannot receive' });
    const path = (id: string) => market.send('GET', `/withdrawals/${id}`);
    expect((await path(waiting.id)).json.data.data).toMatchObject({
      actionRequired: 'Open an account.',
      actionUrl: null,
    });
    expect((await path(failed.id)).json.data.data).toMatchObject({
      failureReason: 'cannot receive',
      errorCode: '415060',
    });
  });

  it('hides addresses in the provider’s texts from operators everywhere', async () => {
    const words = 'Ask ada@example.com about DE89 3704 0044 0532 0130 00.';
    const own = await world.market();
    const waiting = await withdrawalIn(world, own, 'WITHDRAWAL_PENDING');
    await notify(waiting, 'pending_user_action', { reasonDescription: words }, own);
    const failed = await withdrawalIn(world, own, 'WITHDRAWAL_PENDING');
    await notify(failed, 'failed', { reasonDescription: words }, own);
    const finance = await desk(world, { role: 'finance', marketplaceId: own.id });
    await world.sequence();
    for (const path of [
      `/withdrawals/${waiting.id}`,
      `/withdrawals/${failed.id}`,
      '/withdrawals?limit=100',
      '/insights/home',
      '/events/log?limit=100&types=withdrawal.pending_user_action',
      '/events/log?limit=100&types=withdrawal.failed',
      '/audit/logs?limit=100&action=WITHDRAWAL_PENDING_USER_ACTION',
    ]) {
      // Home is cached for a moment: the key reads first, so that the cached one is unmasked.
      expect((await own.send('GET', path)).text, path).toContain(words);
      const { text } = await finance.send('GET', path);
      expect(text, path).toContain('Ask a•••@e•••.com about •••3000.');
      expect(text, path).not.toContain('ada@example.com');
    }
  });
});

describe('a notification after the end', () => {
  const suspended = (withdrawal: WithdrawalIn) =>
    world.rows<{ after: Record<string, unknown> }>(
      `select after from audit where resource_id = $1 and action = 'WITHDRAWAL_MONEY_SUSPENDED'
       order by id`,
      [withdrawal.id],
    );

  it.each(['failed', 'canceled'] as const)(
    'of completion after %s moves nothing before the record does',
    async (ended) => {
      const withdrawal = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
      await notify(withdrawal, ended);
      expect((await notify(withdrawal, 'completed')).kind).toBe('superseded');
      expect(await statusOf(world, market, withdrawal.id)).toBe(ENDS[ended][0]);
      expect(await holdsOf(world, market, withdrawal)).toBe(BACK);
      expect(await entriesOf(world, withdrawal.id)).toEqual(RETURNED);
      expect(await suspended(withdrawal)).toEqual([]);
    },
  );

  it('of failure after payment moves nothing, and has the record read at once', async () => {
    const withdrawal = await withdrawalIn(world, market, 'WITHDRAWAL_COMPLETED');
    await world.rows(
      `update withdrawal set committed_at = now() - interval '9 days' where id = $1`,
      [withdrawal.id],
    );
    expect((await notify(withdrawal, 'failed')).kind).toBe('superseded');
    expect(await statusOf(world, market, withdrawal.id)).toBe('WITHDRAWAL_COMPLETED');
    expect(await holdsOf(world, market, withdrawal)).toBe(GONE);
    expect(await entriesOf(world, withdrawal.id)).toEqual(PAID);
    const { nextPollAt } = await getWithdrawal(world.app, market.call, withdrawal.id);
    expect(nextPollAt).toSatisfy((at) => at !== null && at <= world.app.clock.now());
  });

  it('of failure or cancellation has the same effect on the money', async () => {
    const withdrawal = await withdrawalIn(world, market, 'WITHDRAWAL_FAILED');
    expect((await notify(withdrawal, 'canceled')).kind).toBe('superseded');
    expect(await entriesOf(world, withdrawal.id)).toEqual(RETURNED);
    expect(await suspended(withdrawal)).toEqual([]);
  });

  it('is reversed when the record says otherwise', async () => {
    const withdrawal = await withdrawalIn(world, market, 'WITHDRAWAL_FAILED');
    await notify(withdrawal, 'completed');
    const call = systemCall(market.call.actor.marketplace);
    const poll = { by: 'poll', payoutId: null, at: null, reasonCode: null, reason: null } as const;
    const applied = await transact(world.app, call, async (tx) =>
      applyPayout(tx, world.app.log, await lockWithdrawal(tx, withdrawal.id), {
        ...poll,
        status: 'failed',
        amountMinor: 2000n,
      }),
    );
    expect(applied).toBe(true);
    expect(await suspended(withdrawal)).toMatchObject([
      { after: { suspended: '20.00' } },
      { after: { suspended: '-20.00' } },
    ]);
    const [sum] = await world.rows<{ sum: string }>(
      `select sum(case when a.kind = 'suspense' then e.amount else -e.amount end) from entry e
       join account a on a.id = e.to_account where e.subject_id = $1 and e.kind = 'withdrawal_suspense'`,
      [withdrawal.id],
    );
    expect(sum?.sum).toBe('0');
  });
});

describe('a record with another amount', () => {
  it.each([
    [2500n, '5.00', '5.00'],
    [1500n, '5.00', '-5.00'],
  ])('of %i cents is booked as it is, and suspense bears the rest', async (paid, moved, words) => {
    const withdrawal = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
    const call = oneCall(market);
    await transact(world.app, call, async (tx) =>
      applyPayout(tx, world.app.log, await lockWithdrawal(tx, withdrawal.id), {
        by: 'poll',
        payoutId: null,
        at: null,
        reasonCode: null,
        reason: null,
        status: 'completed',
        amountMinor: paid,
      }),
    );
    expect(await statusOf(world, market, withdrawal.id)).toBe('WITHDRAWAL_COMPLETED');
    expect(await holdsOf(world, market, withdrawal)).toBe(GONE);
    expect(await entriesOf(world, withdrawal.id)).toEqual([
      ...PAID,
      `withdrawal_suspense ${moved}`,
    ]);
    expect((await eventsOf(world, call)).map(({ type }) => type)).toEqual([
      'balance.debited',
      'withdrawal.completed',
    ]);
    expect(await auditedBy(world, call)).toMatchObject([
      { action: 'WITHDRAWAL_COMPLETED' },
      { action: 'WITHDRAWAL_MONEY_SUSPENDED', after: { suspended: words }, result: 'FAILURE' },
    ]);
  });
});
