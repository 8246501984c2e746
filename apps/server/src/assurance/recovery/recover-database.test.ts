import { assert } from '@holdfast/kernel/assert';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { jobs } from '../../app/jobs.ts';
import { resolveDispute } from '../../orders/disputes/resolve-dispute.ts';
import { createEscrow } from '../../orders/escrow/create-escrow.ts';
import { fundEscrow } from '../../orders/escrow/fund-escrow.ts';
import { getOrder } from '../../orders/order/read-orders.ts';
import { releaseOrder } from '../../orders/settlement/release-order.ts';
import { cancelWithdrawal } from '../../payments/withdrawals/cancel-withdrawal.ts';
import { commitWithdrawal } from '../../payments/withdrawals/commit-withdrawal.ts';
import { unknown } from '../../providers/outcome.ts';
import { postponeAll } from '../../testing/due.ts';
import {
  completeAll,
  type EscrowedOrder,
  type EscrowWorld,
  effectsOf,
  escrowOrderIn,
  statesOf,
} from '../../testing/escrows.ts';
import { closeAs, openAgain, recover, remember } from '../../testing/rewind.ts';
import {
  createdBy,
  externalAccount,
  payeeWith,
  payoutEffects,
  statusOf,
  usePayoutWorld,
} from '../../testing/withdrawals.ts';
import type { Market } from '../../testing/world.ts';
import { recoverDatabase } from './recover-database.ts';

const { world, market } = usePayoutWorld();

// A test that failed does not leave the next one with a closed database.
afterEach(() => openAgain(world));

const steps = () =>
  world.rows<{ name: string; detail: string }>(
    `select name, detail from recovery_step where finished_at is not null
       and lineage = (select max(number) from lineage) order by finished_at`,
  );
const findings = () =>
  world.rows(
    `select kind, user_id, resource_id, amount, currency from recovery_finding
     where lineage = (select max(number) from lineage) order by id`,
  );

/** What the work changes is lost, and then looked for. */
async function lose(work: () => Promise<unknown>): Promise<void> {
  const moment = await remember(world);
  await work();
  await moment.restore();
  await closeAs(world, 'REWOUND');
  const [last] = await world.rows<{ id: string }>('select max(id)::text as id from outbox');
  await recover(world);
  const emitted = await world.rows<{ event_type: string }>(
    'select event_type from outbox where id > $1 and event_type is not null',
    [last?.id ?? '0'],
  );
  for (const { event_type: type } of emitted) seen.add(type);
}

/** Every event that a recovery has emitted here. */
const seen = new Set<string>();
afterAll(() => {
  const job = jobs.find(({ name }) => name === 'recover-database');
  expect(job?.emits).toEqual(expect.arrayContaining([...seen]));
  expect([...seen]).toContain('order.released');
});

async function goOn(): Promise<void> {
  await openAgain(world);
  expect(await world.engine.runWorker()).toBe(0);
}

const paymentsTo = async (address: string) =>
  (await world.sandbox.journal()).filter(
    ({ effect, to, amount }) => effect === 'ledger.payment' && to === address && amount !== '100',
  );

describe('a payment over the network', () => {
  const outgoing = async () => {
    const payee = await payeeWith(world, market);
    const to = await externalAccount(world);
    await world.runWorker();
    const destination = { type: 'crypto', ref: to } as const;
    return { ...payee, to, destination };
  };

  it('ends its withdrawal, though the commit was lost too', async () => {
    const one = await outgoing();
    const id = await createdBy(world, market, one, { destination: one.destination });
    await lose(() => commitWithdrawal(world.app, market.call, id));
    expect(await steps()).toMatchObject([
      { name: 'wallets' },
      { name: 'wait' },
      { name: 'transactions', detail: expect.stringMatching(/^[1-9]\d* unrecorded/) },
      { name: 'payments', detail: expect.stringMatching(/^0 unrecorded/) },
      { name: 'end', detail: expect.stringContaining('two platform admins') },
    ]);
    expect(await findings()).toEqual([]);
    await goOn();
    expect(await statusOf(world, market, id)).toBe('WITHDRAWAL_COMPLETED');
    expect(await paymentsTo(one.to)).toHaveLength(1);
  });

  it('of a lost withdrawal freezes its user, and is reported', async () => {
    const one = await outgoing();
    await lose(async () => {
      const id = await createdBy(world, market, one, { destination: one.destination });
      await commitWithdrawal(world.app, market.call, id);
    });
    expect(await findings()).toEqual([
      {
        kind: 'UNRECORDED_PAYOUT',
        user_id: one.userId,
        resource_id: null,
        amount: '20.0000000',
        currency: 'USDC',
      },
    ]);
    const [user] = await world.rows(`select status from users where id = $1`, [one.userId]);
    expect(user).toEqual({ status: 'SUSPENDED' });
    await goOn();
    expect(await paymentsTo(one.to)).toHaveLength(1);
  });

  it('leaves the accounts of the house able to send again', async () => {
    const one = await outgoing();
    const id = await createdBy(world, market, one, { destination: one.destination });
    await lose(() => commitWithdrawal(world.app, market.call, id));
    await goOn();
    for (let round = 0; round < 6; round += 1) {
      const next = await outgoing();
      const wanted = await createdBy(world, market, next, { destination: next.destination });
      expect((await commitWithdrawal(world.app, market.call, wanted)).status).toBe(
        'WITHDRAWAL_COMPLETED',
      );
    }
  });
});

describe('a record at the payment provider', () => {
  it('of a withdrawal whose commit was lost commits it again, and is not paid again', async () => {
    const payee = await payeeWith(world, market);
    const id = await createdBy(world, market, payee);
    let before = '';
    await lose(async () => {
      before = (await commitWithdrawal(world.app, market.call, id)).status;
    });
    expect(await findings()).toEqual([]);
    const effects = await payoutEffects(world, id);
    expect(effects).toContain('commit');
    await goOn();
    expect(await statusOf(world, market, id)).toBe(before);
    expect(await payoutEffects(world, id)).toEqual(effects);
  });

  it('of a lost withdrawal freezes the user whom its note names', async () => {
    const payee = await payeeWith(world, market);
    let lostId = '';
    await lose(async () => {
      const id = await createdBy(world, market, payee);
      lostId = id;
      await commitWithdrawal(world.app, market.call, id);
    });
    expect(await findings()).toMatchObject([
      { kind: 'UNRECORDED_PAYOUT', user_id: payee.userId, resource_id: lostId, amount: '20.00' },
    ]);
  });

  it('that moved nothing is none', async () => {
    const payee = await payeeWith(world, market);
    await lose(async () => {
      const id = await createdBy(world, market, payee);
      await cancelWithdrawal(world.app, market.call, id);
    });
    expect(await findings()).toEqual([]);
  });
});

describe('an escrow', () => {
  const ONCE = ['deploy', 'fund', 'status', 'approve', 'release'];

  const finish = async (order: EscrowedOrder) => {
    const { app } = world;
    const { id } = order;
    const { status } = await getOrder(app, market.call, id);
    if (status === 'FUNDS_RESERVED') await createEscrow(app, market.call, id);
    if (status !== 'IN_PROGRESS') await fundEscrow(app, market.call, id);
    await completeAll(world, market, order);
    await releaseOrder(app, market.call, id, {});
  };

  it.each([
    ['FUNDS_RESERVED', ['UNRECORDED_STEP', 'UNRECORDED_STEP']],
    ['ESCROW_FUNDING', ['UNRECORDED_STEP', 'UNRECORDED_STEP']],
    ['IN_PROGRESS', ['UNRECORDED_STEP']],
  ] as const)(
    'set back to %s is funded and released once, when a person repeats it',
    async (state, kinds) => {
      const order = await escrowOrderIn(world, market, state);
      await lose(() => finish(order));
      expect((await findings()).map(({ kind }) => kind)).toEqual(kinds);
      await goOn();
      await finish(order);
      expect(await effectsOf(world, order)).toEqual(ONCE);
      expect(await statesOf(world, market, order)).toMatchObject({ status: 'CLOSED' });
    },
  );

  it.each([
    ['FUNDS_RESERVED', createIt, 'ESCROW_FUNDING'],
    ['ESCROW_FUNDING', fundIt, 'IN_PROGRESS'],
    ['IN_PROGRESS', releaseIt, 'CLOSED'],
    ['UNDER_REVIEW', split, 'CLOSED'],
  ] as const)(
    'whose operation of %s is here is continued without one',
    async (state, work, after) => {
      const order = await escrowOrderIn(world, market, state);
      if (state === 'IN_PROGRESS') await completeAll(world, market, order);
      const { engine } = world;
      Object.assign(world.app, {
        engine: { ...engine, execute: () => Promise.reject(new Gone()) },
      });
      await expect(work(world.app, market.call, order)).rejects.toThrow(Gone);
      Object.assign(world.app, { engine });
      // Otherwise a fresh operation counts as running, which by the end of the wait it is not.
      await postponeAll(world);
      await lose(() => world.engine.runWorker());
      expect(await findings()).toEqual([]);
      await goOn();
      const effects = await effectsOf(world, order);
      expect(new Set(effects).size).toBe(effects.length);
      expect(await statesOf(world, market, order)).toMatchObject({ status: after });
      expect(await world.rows(SENT_AND_OPEN)).toEqual([]);
    },
  );
});

const SENT_AND_OPEN = `select name from operation_step
  where status = 'CLAIMED' and purpose in (select purpose from envelope)`;

class Gone extends Error {}

type Args = [app: EscrowWorld['app'], call: Market['call'], order: EscrowedOrder];
const createIt = (...[app, call, { id }]: Args) => createEscrow(app, call, id);
const fundIt = (...[app, call, { id }]: Args) => fundEscrow(app, call, id);
const releaseIt = (...[app, call, { id }]: Args) => releaseOrder(app, call, id, {});
const split = (...[app, call, { disputeId }]: Args) =>
  resolveDispute(app, call, disputeId, {
    decision: 'SPLIT',
    releaseAmount: '60.00',
    refundAmount: '40.00',
  });

it('opens a promoted database by itself when nothing was lost', async () => {
  await closeAs(world, 'PROMOTED');
  await recover(world);
  const [lineage] = await world.rows(
    'select status, reason from lineage order by number desc limit 1',
  );
  expect(lineage).toEqual({
    status: 'OPEN',
    reason: 'a standby took over, and nothing was found that it has no record of',
  });
});

it('waits for the network, and for a provider that is silent', async () => {
  await closeAs(world, 'REWOUND');
  const { payments } = world.custody;
  assert(payments !== undefined, 'the sandbox is one');
  const silent = { ...payments, listPayins: async () => unknown('no reply') };
  const finished = async () => (await steps()).map(({ name }) => name);
  await recoverDatabase({ ...world.custody, payments: silent });
  expect(await finished()).toEqual(['wallets']);
  await world.sandbox.advance(500);
  await recoverDatabase({ ...world.custody, payments: silent });
  expect(await finished()).toEqual(['wallets', 'wait', 'transactions']);
  await recoverDatabase(world.custody);
  expect(await finished()).toContain('end');
  await openAgain(world);
});
