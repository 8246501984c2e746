import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemCall } from '../platform/call.ts';
import { transact } from '../platform/transact.ts';
import type { Verdict } from '../providers/notice.ts';
import type { PayoutNotice } from '../providers/payment-notice.ts';
import type { PayoutStatus } from '../providers/payment-provider.ts';
import { auditBooks, type EscrowWorld } from '../testing/escrows.ts';
import { desk } from '../testing/operators.ts';
import { auditedBy, oneCall, toldBy } from '../testing/orders.ts';
import {
  entriesOf,
  holdsOf,
  openPayoutWorld,
  payoutNotice,
  statusOf,
  type WithdrawalIn,
  withdrawalIn,
} from '../testing/withdrawals.ts';
import type { Market } from '../testing/world.ts';
import { applyPayout, applyPayoutNotice } from './apply-payout.ts';
import { lockWithdrawal, type Withdrawal } from './withdrawal.ts';

let world: EscrowWorld;
let market: Market;
beforeAll(async () => {
  world = await openPayoutWorld();
  market = await world.market();
});
afterAll(async () => {
  await world.engine.runWorker();
  expect(await auditBooks(world)).toEqual([]);
  await world.close();
});
beforeEach(() => world.sandbox.clearFaults());

type State = Withdrawal['status'];

const seals: string[] = [];
const tell = (
  withdrawal: Pick<WithdrawalIn, 'id'>,
  status: PayoutStatus,
  changes: Partial<PayoutNotice> = {},
  of = market,
): Promise<Verdict> =>
  applyPayoutNotice(
    world.app,
    oneCall(of),
    withdrawal.id,
    payoutNotice(withdrawal, status, changes),
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

/** What each notice makes of each state; null where it stays. */
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

describe('a notice about a pay-out', () => {
  it.each(TABLE)('finds %s, says %s, makes it %s', async (state, status, next) => {
    const withdrawal = await withdrawalIn(world, market, state);
    seals.length = 0;
    const { kind } = await tell(withdrawal, status);
    expect(await statusOf(world, market, withdrawal.id)).toBe(next ?? state);
    expect([kind, ...seals]).toEqual(
      next === null ? ['superseded', 'SUPERSEDED'] : ['applied', 'APPLIED'],
    );
    const end = Object.values(ENDS).find(([each]) => each === next);
    expect(await holdsOf(world, market, withdrawal)).toBe(end?.[1] ?? OPEN);
    // Once more, whichever it was, changes nothing.
    expect((await tell(withdrawal, status)).kind).toBe('superseded');
    expect(await holdsOf(world, market, withdrawal)).toBe(end?.[1] ?? OPEN);
  });

  it('that comes late, with an older time, does not lead back', async () => {
    const withdrawal = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
    const now = world.app.clock.now() + 60_000;
    await tell(withdrawal, 'pending_user_action', { occurredAt: now });
    const late = await tell(withdrawal, 'pending', { occurredAt: now - 1 });
    expect(late.kind).toBe('superseded');
    const status = () => statusOf(world, market, withdrawal.id);
    expect(await status()).toBe('WITHDRAWAL_PENDING_USER_ACTION');
    expect((await tell(withdrawal, 'pending', { occurredAt: now + 1 })).kind).toBe('applied');
    expect(await status()).toBe('WITHDRAWAL_PENDING');
  });

  it.each([
    ['amount', { amountMinor: 2001n }],
    ['currency', { currency: 'XLM' }],
    ['pay-out', { id: 'somebody-elses' }],
  ])('with another %s is not believed; the record is looked at', async (_, changes) => {
    const withdrawal = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
    seals.length = 0;
    const verdict = await tell(withdrawal, 'completed', changes);
    expect([verdict.kind, seals]).toEqual(['wrong', []]);
    expect(await statusOf(world, market, withdrawal.id)).toBe('WITHDRAWAL_PENDING');
    expect(await holdsOf(world, market, withdrawal)).toBe(OPEN);
    const due = await world.rows('select from withdrawal where id = $1 and next_look_at <= $2', [
      withdrawal.id,
      new Date(world.app.clock.now()).toISOString(),
    ]);
    expect(due).toHaveLength(1);
  });

  it('applies once, however many bring it', async () => {
    const withdrawal = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
    const verdicts = await Promise.all(
      Array.from({ length: 5 }, () => tell(withdrawal, 'completed')),
    );
    expect(verdicts.filter(({ kind }) => kind === 'applied')).toHaveLength(1);
    expect(await entriesOf(world, withdrawal.id)).toEqual(PAID);
  });

  it('tells of the action that is needed, and of the reason of a failure', async () => {
    const waiting = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
    await tell(waiting, 'pending_user_action', { reasonDescription: 'Open an account.' });
    const failed = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
    await tell(failed, 'failed', { reasonCode: '415060', reasonDescription: 'cannot receive' });
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

  it('shows operators nobody’s address in what the provider says, in any place', async () => {
    const said = 'Ask ada@example.com about DE89 3704 0044 0532 0130 00.';
    const own = await world.market();
    const waiting = await withdrawalIn(world, own, 'WITHDRAWAL_PENDING');
    await tell(waiting, 'pending_user_action', { reasonDescription: said }, own);
    const failed = await withdrawalIn(world, own, 'WITHDRAWAL_PENDING');
    await tell(failed, 'failed', { reasonDescription: said }, own);
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
      // Home is kept for a moment: the key asks first, so that it is kept unmasked.
      expect((await own.send('GET', path)).text, path).toContain(said);
      const { text } = await finance.send('GET', path);
      expect(text, path).toContain('Ask a•••@e•••.com about •••3000.');
      expect(text, path).not.toContain('ada@example.com');
    }
  });
});

describe('after the end', () => {
  const suspended = (withdrawal: WithdrawalIn) =>
    world.rows<{ after: Record<string, unknown> }>(
      `select after from audit where resource_id = $1 and action = 'WITHDRAWAL_MONEY_SUSPENDED'
       order by id`,
      [withdrawal.id],
    );

  it.each(['failed', 'canceled'] as const)(
    'completed told of what has %s: suspense bears what was given back',
    async (ended) => {
      const withdrawal = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
      await tell(withdrawal, ended);
      expect((await tell(withdrawal, 'completed')).kind).toBe('applied');
      expect(await statusOf(world, market, withdrawal.id)).toBe(ENDS[ended][0]);
      expect(await holdsOf(world, market, withdrawal)).toBe(BACK);
      expect(await entriesOf(world, withdrawal.id)).toEqual([
        ...RETURNED,
        'withdrawal_suspense 20.00',
      ]);
      expect(await suspended(withdrawal)).toMatchObject([
        { after: { providerSays: 'completed', paid: '20.00', suspended: '20.00' } },
      ]);
      expect((await tell(withdrawal, 'completed')).kind).toBe('superseded');
      expect(await entriesOf(world, withdrawal.id)).toHaveLength(3);
    },
  );

  it('failed told of what was paid: suspense keeps what came back, the user gets nothing', async () => {
    const withdrawal = await withdrawalIn(world, market, 'WITHDRAWAL_COMPLETED');
    expect((await tell(withdrawal, 'failed')).kind).toBe('applied');
    expect(await statusOf(world, market, withdrawal.id)).toBe('WITHDRAWAL_COMPLETED');
    expect(await holdsOf(world, market, withdrawal)).toBe(GONE);
    expect(await entriesOf(world, withdrawal.id)).toEqual([...PAID, 'withdrawal_suspense 20.00']);
    expect(await suspended(withdrawal)).toMatchObject([{ after: { suspended: '-20.00' } }]);
  });

  it('failed and canceled are the same end for the money', async () => {
    const withdrawal = await withdrawalIn(world, market, 'WITHDRAWAL_FAILED');
    expect((await tell(withdrawal, 'canceled')).kind).toBe('superseded');
    expect(await entriesOf(world, withdrawal.id)).toEqual(RETURNED);
    expect(await suspended(withdrawal)).toEqual([]);
  });

  it('what was told is taken back when the record says otherwise', async () => {
    const withdrawal = await withdrawalIn(world, market, 'WITHDRAWAL_FAILED');
    await tell(withdrawal, 'completed');
    const call = systemCall(market.call.actor.marketplace);
    const look = { by: 'look', payoutId: null, at: null, reasonCode: null, reason: null } as const;
    const applied = await transact(world.app, call, async (tx) =>
      applyPayout(tx, world.app.log, await lockWithdrawal(tx, withdrawal.id), {
        ...look,
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
  ])('of %i cents is booked as it is, and suspense bears the rest', async (paid, moved, said) => {
    const withdrawal = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
    const call = oneCall(market);
    await transact(world.app, call, async (tx) =>
      applyPayout(tx, world.app.log, await lockWithdrawal(tx, withdrawal.id), {
        by: 'look',
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
    expect((await toldBy(world, call)).map(({ type }) => type)).toEqual([
      'balance.debited',
      'withdrawal.completed',
    ]);
    expect(await auditedBy(world, call)).toMatchObject([
      { action: 'WITHDRAWAL_COMPLETED' },
      { action: 'WITHDRAWAL_MONEY_SUSPENDED', after: { suspended: said }, result: 'FAILURE' },
    ]);
  });
});
