import { afterAll, describe, expect, it } from 'vitest';
import { openDispute } from '../../orders/disputes/open-dispute.ts';
import { resolveDispute } from '../../orders/disputes/resolve-dispute.ts';
import { createEscrow } from '../../orders/escrow/create-escrow.ts';
import { takeStep } from '../../orders/escrow/escrow-steps.ts';
import { fundEscrow } from '../../orders/escrow/fund-escrow.ts';
import { getOrder } from '../../orders/order/read-orders.ts';
import { refundOrder } from '../../orders/settlement/refund-order.ts';
import { releaseOrder } from '../../orders/settlement/release-order.ts';
import { postponeAll } from '../../testing/due.ts';
import {
  balanceOf,
  completeAll,
  type EscrowedOrder,
  effectsOf,
  escrowOrderIn,
  milestonesOf,
  refusalOf,
  statesOf,
} from '../../testing/escrows.ts';
import { until } from '../../testing/until.ts';
import {
  type EscrowNotification,
  inboxRow,
  notificationOf,
  sendSigned,
  settleWebhooks,
  useWebhookWorld,
} from '../../testing/webhooks.ts';

const { world, market } = useWebhookWorld();
afterAll(async () => {
  await world.engine.runWorker();
  await settleWebhooks(world);
  expect(await world.rows(`select * from inbox where status = 'PARKED'`)).toEqual([]);
});

const FUNDED = { status: 'IN_PROGRESS', closeReason: null, escrow: 'FUNDED' };

/** The reply to a step is lost: only the provider's notification continues the operation. */
async function lose(operation: string, work: () => Promise<unknown>): Promise<void> {
  await world.sandbox.arm('escrow', operation, 'drop-after');
  expect((await refusalOf(work())).code).toBe('PROVIDER_TIMEOUT');
  await postponeAll(world);
}

/** Runs without an engine, so that open operations wait for the test's own worker. */
async function withoutEngine(work: () => Promise<void>): Promise<void> {
  const before = { ...world.engine };
  Object.assign(world.engine, { isUp: async () => false, submit: async () => undefined });
  await work().finally(() => Object.assign(world.engine, before));
}

const rowOf = ({ event_id }: EscrowNotification) => inboxRow(world, event_id);
const inboxRowsOf = async ({ id }: EscrowedOrder) =>
  world.rows<{ event_type: string; status: string }>(
    'select event_type, status from inbox where resource_id = $1 order by received_at, event_type',
    [id],
  );
const statusOf = async (fixture: EscrowedOrder, type: string) =>
  (await inboxRowsOf(fixture)).filter((row) => row.event_type === type).map(({ status }) => status);
/** Runs the worker's job until the order has the expected state. */
const reaches = (fixture: EscrowedOrder, seen: object) =>
  until(async () => {
    await world.runInbox();
    const now = await statesOf(world, market, fixture);
    return JSON.stringify(now) === JSON.stringify({ ...now, ...seen });
  });
/** Runs the inbox until the event has ended. */
const ended = (notification: EscrowNotification) =>
  until(async () => {
    await world.runInbox();
    return (await rowOf(notification))?.status !== 'PENDING';
  });
/** One more attempt of the open operation. */
const executeAgain = async ({ id }: EscrowedOrder) => {
  const [open] = await world.rows(
    `select o.marketplace_id as marketplace, o.id, o.epoch from open_operation w
     join operation o on o.id = w.operation_id where w.resource_id = $1`,
    [id],
  );
  await world.engine.submit(open as never);
  await postponeAll(world);
};
/** The waiting operation is executed right after. */
const ends = (fixture: EscrowedOrder) =>
  until(async () => (await openOperations(fixture)).length === 0);
const openOperations = ({ id }: EscrowedOrder) =>
  world.rows(`select kind from operation where resource_id = $1 and status <> 'DONE'`, [id]);

describe('applying a true notification after a lost reply', () => {
  it('moves the order on after the deployment, by the signed envelope', async () => {
    const fixture = await escrowOrderIn(world, market, 'FUNDS_RESERVED');
    await lose('deploy', () => createEscrow(world.app, market.call, fixture.id));
    await reaches(fixture, { status: 'ESCROW_FUNDING', closeReason: null, escrow: 'CREATED' });
    expect(await statusOf(fixture, 'escrow.created')).toEqual(['APPLIED']);
    await ends(fixture);
    await fundEscrow(world.app, market.call, fixture.id);
    expect(await effectsOf(world, fixture)).toEqual(['deploy', 'fund']);
  });

  it('moves the order on when the contract id was unknown, and ends the search', async () => {
    const fixture = await escrowOrderIn(world, market, 'FUNDS_RESERVED');
    await world.sandbox.arm('escrow', 'deploy', 'no-contract-id', 5);
    const order = await createEscrow(world.app, market.call, fixture.id);
    expect(order).toMatchObject({ status: 'ESCROW_CREATING', escrow: { status: 'CREATING' } });
    await reaches(fixture, { status: 'ESCROW_FUNDING', closeReason: null, escrow: 'CREATED' });
    const finders = await world.rows(
      'select status from operation where kind = $1 and resource_id = $2',
      ['find-contract', order.escrow?.id],
    );
    expect(finders).toEqual([{ status: 'DONE' }]);
  });

  it('moves the order on after the funding', async () => {
    const fixture = await escrowOrderIn(world, market, 'ESCROW_FUNDING');
    await lose('fund', () => fundEscrow(world.app, market.call, fixture.id));
    await reaches(fixture, FUNDED);
    expect(await statusOf(fixture, 'escrow.funded')).toEqual(['APPLIED']);
    await ends(fixture);
    expect(await effectsOf(world, fixture)).toEqual(['deploy', 'fund']);
  });

  it('accepts a funding before its operation ends; an early caller can retry', async () => {
    const fixture = await escrowOrderIn(world, market, 'ESCROW_FUNDING');
    const release = () => releaseOrder(world.app, market.call, fixture.id);
    await withoutEngine(async () => {
      await lose('fund', () => fundEscrow(world.app, market.call, fixture.id));
      await reaches(fixture, FUNDED);
      expect((await refusalOf(release())).code).toBe('SERVICE_UNAVAILABLE');
      expect(await statesOf(world, market, fixture)).toEqual(FUNDED);
      await world.engine.runWorker();
    });
    expect(await release()).toMatchObject({ status: 'CLOSED', closeReason: 'RELEASED' });
  });

  it.each([1, 3])('pays the seller once after the last of %i releases', async (count) => {
    const fixture = await escrowOrderIn(world, market, 'IN_PROGRESS', {
      milestones: milestonesOf(count),
    });
    await completeAll(world, market, fixture);
    await lose('release', () => releaseOrder(world.app, market.call, fixture.id));
    for (let part = 2; part <= count; part += 1) {
      await world.sandbox.arm('escrow', 'release', 'drop-after');
      await executeAgain(fixture);
    }
    await reaches(fixture, { status: 'CLOSED', closeReason: 'RELEASED', escrow: 'RELEASED' });
    expect(await statusOf(fixture, 'escrow.released')).toEqual(['APPLIED']);
    expect(await balanceOf(world, market, fixture.sellerId)).toBe('95.00 0.00');
    await ends(fixture);
  });

  it('pays the seller without the engine, and the operation finds it done', async () => {
    const fixture = await escrowOrderIn(world, market, 'IN_PROGRESS');
    await withoutEngine(async () => {
      await lose('release', () => releaseOrder(world.app, market.call, fixture.id));
      await reaches(fixture, { status: 'CLOSED', closeReason: 'RELEASED', escrow: 'RELEASED' });
      expect(await statusOf(fixture, 'escrow.released')).toEqual(['APPLIED']);
      expect(await balanceOf(world, market, fixture.sellerId)).toBe('95.00 0.00');
      expect(await openOperations(fixture)).toEqual([{ kind: 'release-order' }]);
      await world.engine.runWorker();
    });
    expect(await openOperations(fixture)).toEqual([]);
    expect(await balanceOf(world, market, fixture.sellerId)).toBe('95.00 0.00');
  });

  it('pays the buyer back after the refund', async () => {
    const fixture = await escrowOrderIn(world, market, 'IN_PROGRESS');
    await lose('resolve', () => refundOrder(world.app, market.call, fixture.id, { reason: 'r' }));
    await reaches(fixture, { status: 'CLOSED', closeReason: 'REFUNDED', escrow: 'REFUNDED' });
    expect(await statusOf(fixture, 'escrow.refunded')).toEqual(['APPLIED']);
    expect(await balanceOf(world, market, fixture.buyerId)).toBe('100.00 0.00');
  });

  it.each([
    ['SPLIT', { releaseAmount: '60.00', refundAmount: '40.00' }, '40.00 0.00', '57.00 0.00'],
    ['FULL_RELEASE', {}, '0.00 0.00', '95.00 0.00'],
    ['FULL_REFUND', {}, '100.00 0.00', '0.00 0.00'],
  ] as const)('carries out a decision for %s', async (decision, parts, buyer, seller) => {
    const fixture = await escrowOrderIn(world, market, 'UNDER_REVIEW');
    const input = { decision, ...parts };
    const step = decision === 'FULL_RELEASE' ? 'release' : 'resolve';
    await lose(step, () => resolveDispute(world.app, market.call, fixture.disputeId, input));
    await reaches(fixture, { status: 'CLOSED', dispute: 'RESOLVED' });
    expect(await balanceOf(world, market, fixture.buyerId)).toBe(buyer);
    expect(await balanceOf(world, market, fixture.sellerId)).toBe(seller);
  });
});

describe('applying an early notification', () => {
  it('waits until its order has come that far', async () => {
    await world.sandbox.arm('escrow', 'webhook', 'drop-webhook', 10);
    const fixture = await escrowOrderIn(world, market, 'FUNDS_RESERVED');
    await lose('deploy', () => createEscrow(world.app, market.call, fixture.id));
    const created = await notificationOf(world, market, fixture, 'escrow.created');
    const funded = await notificationOf(world, market, fixture, 'escrow.funded');
    const released = await notificationOf(world, market, fixture, 'escrow.released');
    const sent = [released, funded, created];
    for (const each of sent) await sendSigned(world, each);
    const seen = async () => (await Promise.all(sent.map(rowOf))).map((row) => row?.status);
    expect(await seen()).toEqual(['PENDING', 'PENDING', 'PENDING']);
    await ended(created);
    expect(await seen()).toEqual(['PENDING', 'PENDING', 'APPLIED']);
    await fundEscrow(world.app, market.call, fixture.id);
    await ended(funded);
    expect(await seen()).toEqual(['PENDING', 'SUPERSEDED', 'APPLIED']);
    await releaseOrder(world.app, market.call, fixture.id);
    await ended(released);
    expect(await seen()).toEqual(['SUPERSEDED', 'SUPERSEDED', 'APPLIED']);
    expect(await balanceOf(world, market, fixture.sellerId)).toBe('95.00 0.00');
  });

  it('waits until the contract it names is known', async () => {
    await world.sandbox.arm('escrow', 'webhook', 'drop-webhook', 10);
    const fixture = await escrowOrderIn(world, market, 'FUNDS_RESERVED');
    await lose('deploy', () => createEscrow(world.app, market.call, fixture.id));
    const contractId = (await world.sandbox.journal()).findLast(
      ({ orderId }) => orderId === fixture.id,
    );
    const fields = { contract_id: contractId?.contractId, order_id: null };
    const sent = await notificationOf(world, market, fixture, 'escrow.funded', fields);
    await sendSigned(world, sent);
    expect(await rowOf(sent)).toMatchObject({ status: 'PENDING', marketplace_id: null });
    await world.engine.runWorker();
    await fundEscrow(world.app, market.call, fixture.id);
    await ended(sent);
    expect(await rowOf(sent)).toMatchObject({ status: 'SUPERSEDED', resource_id: fixture.id });
  });
});

describe('finding a dispute on the network', () => {
  /** Signed by the buyer's wallet, and by no operation of ours. */
  const disputeUpstream = async (fixture: EscrowedOrder) => {
    const { escrow } = await getOrder(world.app, market.call, fixture.id);
    const contractId = escrow?.providerContractId ?? '';
    const signer = escrow?.buyerAddress ?? '';
    const step = { step: 'dispute', kind: 'single-release', contractId, signer } as const;
    const taken = await takeStep(world.custody, market.call, `outside:dispute:${fixture.id}`, step);
    expect(taken.kind).toBe('done');
  };

  it('marks the escrow disputed when it is not ours, and a dispute can be opened', async () => {
    const fixture = await escrowOrderIn(world, market, 'IN_PROGRESS');
    await disputeUpstream(fixture);
    await reaches(fixture, { ...FUNDED, escrow: 'DISPUTED' });
    expect(await statusOf(fixture, 'escrow.disputed')).toEqual(['APPLIED']);
    expect((await refusalOf(releaseOrder(world.app, market.call, fixture.id))).code).toBe(
      'INVALID_STATE',
    );
    const complaint = { openedBy: 'SELLER', reason: 'OTHER' } as const;
    await openDispute(world.app, market.call, fixture.id, complaint);
    expect(await statesOf(world, market, fixture)).toMatchObject({ status: 'DISPUTED' });
  });

  it('changes nothing when a refund of ours left it: the order can still be settled', async () => {
    const fixture = await escrowOrderIn(world, market, 'IN_PROGRESS');
    await world.sandbox.arm('escrow', 'resolve', 'reject');
    await refusalOf(refundOrder(world.app, market.call, fixture.id, { reason: 'r' }));
    await until(async () => (await statusOf(fixture, 'escrow.disputed')).length > 0);
    await settleWebhooks(world);
    expect(await statusOf(fixture, 'escrow.disputed')).toEqual(['SUPERSEDED']);
    expect(await statesOf(world, market, fixture)).toEqual(FUNDED);
    await releaseOrder(world.app, market.call, fixture.id);
    expect(await balanceOf(world, market, fixture.sellerId)).toBe('95.00 0.00');
  });
});

describe('receiving webhooks twice, late or never', () => {
  const KINDS = ['duplicate-webhook', 'reorder-webhooks', 'drop-webhook'] as const;

  it.each(KINDS)('has the same outcome with %s at every step', async (kind) => {
    await world.sandbox.arm('escrow', 'webhook', kind, 12);
    const fixture = await escrowOrderIn(world, market, 'IN_PROGRESS', {
      milestones: milestonesOf(3),
    });
    await completeAll(world, market, fixture);
    await releaseOrder(world.app, market.call, fixture.id);
    await world.sandbox.clearFaults();
    // Flushes the webhooks that are held back.
    await escrowOrderIn(world, market, 'ESCROW_FUNDING');
    await settleWebhooks(world);
    expect(await statesOf(world, market, fixture)).toMatchObject({ closeReason: 'RELEASED' });
    expect(await balanceOf(world, market, fixture.sellerId)).toBe('95.00 0.00');
    const each = ['status', 'approve', 'release'];
    expect(await effectsOf(world, fixture)).toEqual(['deploy', 'fund', ...each, ...each, ...each]);
    const late = (await inboxRowsOf(fixture)).filter(({ status }) => status !== 'SUPERSEDED');
    expect(late).toEqual([]);
  });
});
