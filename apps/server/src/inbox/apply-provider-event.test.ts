import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEscrow } from '../orders/create-escrow.ts';
import { takeStep } from '../orders/escrow-steps.ts';
import { fundEscrow } from '../orders/fund-escrow.ts';
import { getOrder } from '../orders/get-order.ts';
import { openDispute } from '../orders/open-dispute.ts';
import { refundOrder } from '../orders/refund-order.ts';
import { releaseOrder } from '../orders/release-order.ts';
import { resolveDispute } from '../orders/resolve-dispute.ts';
import {
  auditBooks,
  balanceOf,
  completeAll,
  dealIn,
  type EscrowedDeal,
  effectsOf,
  lookAt,
  refusalOf,
  stones,
} from '../testing/escrows.ts';
import { postponeAll } from '../testing/put-off.ts';
import { until } from '../testing/until.ts';
import {
  inboxRow,
  type Notice,
  noticeOf,
  openWebhookWorld,
  sendSigned,
  settleWebhooks,
  type WebhookWorld,
} from '../testing/webhooks.ts';
import type { Market } from '../testing/world.ts';

let world: WebhookWorld;
let market: Market;
beforeAll(async () => {
  world = await openWebhookWorld();
  market = await world.market();
});
afterAll(async () => {
  await world.engine.runWorker();
  await settleWebhooks(world);
  expect(await world.rows(`select * from inbox where status = 'PARKED'`)).toEqual([]);
  expect(await auditBooks(world)).toEqual([]);
  await world.close();
});
beforeEach(() => world.sandbox.clearFaults());

const FUNDED = { status: 'IN_PROGRESS', closeReason: null, escrow: 'FUNDED' };

/** The answer to a step is lost: nobody drives the operation on but the provider's own notice. */
async function lose(operation: string, work: () => Promise<unknown>): Promise<void> {
  await world.sandbox.arm('escrow', operation, 'drop-after');
  expect((await refusalOf(work())).code).toBe('PROVIDER_TIMEOUT');
  await postponeAll(world);
}

/** Nobody goes on with it behind the test's back: what is open waits for the test's own worker. */
async function withoutEngine(work: () => Promise<void>): Promise<void> {
  const before = { ...world.engine };
  Object.assign(world.engine, { isUp: async () => false, submit: async () => undefined });
  await work().finally(() => Object.assign(world.engine, before));
}

const rowOf = ({ event_id }: Notice) => inboxRow(world, event_id);
const told = async ({ id }: EscrowedDeal) =>
  world.rows<{ event_type: string; status: string }>(
    'select event_type, status from inbox where resource_id = $1 order by received_at, event_type',
    [id],
  );
const statusOf = async (deal: EscrowedDeal, type: string) =>
  (await told(deal)).filter((row) => row.event_type === type).map(({ status }) => status);
/** As the worker's job would in a few seconds. */
const reaches = (deal: EscrowedDeal, seen: object) =>
  until(async () => {
    await world.runInbox();
    const now = await lookAt(world, market, deal);
    return JSON.stringify(now) === JSON.stringify({ ...now, ...seen });
  });
/** Its turn has come, and told something. */
const ended = (notice: Notice) =>
  until(async () => {
    await world.runInbox();
    return (await rowOf(notice))?.status !== 'PENDING';
  });
/** One more drive of what is open. */
const driveOn = async ({ id }: EscrowedDeal) => {
  const [open] = await world.rows(
    `select o.marketplace_id as marketplace, o.id, o.epoch from operation_open w
     join operation o on o.id = w.operation_id where w.resource_id = $1`,
    [id],
  );
  await world.engine.submit(open as never);
  await postponeAll(world);
};
/** The operation that waited is driven right after. */
const ends = (deal: EscrowedDeal) => until(async () => (await openOperations(deal)).length === 0);
const openOperations = ({ id }: EscrowedDeal) =>
  world.rows(`select kind from operation where resource_id = $1 and status <> 'DONE'`, [id]);

describe('a true notice, when the answer to the step was lost', () => {
  it('of the deployment moves the order on, by what was signed', async () => {
    const deal = await dealIn(world, market, 'FUNDS_RESERVED');
    await lose('deploy', () => createEscrow(world.app, market.call, deal.id));
    await reaches(deal, { status: 'ESCROW_FUNDING', closeReason: null, escrow: 'CREATED' });
    expect(await statusOf(deal, 'escrow.created')).toEqual(['APPLIED']);
    await ends(deal);
    await fundEscrow(world.app, market.call, deal.id);
    expect(await effectsOf(world, deal)).toEqual(['deploy', 'fund']);
  });

  it('of a contract whose id nobody told moves the order on, and ends the search', async () => {
    const deal = await dealIn(world, market, 'FUNDS_RESERVED');
    await world.sandbox.arm('escrow', 'deploy', 'no-contract-id', 5);
    const order = await createEscrow(world.app, market.call, deal.id);
    expect(order).toMatchObject({ status: 'ESCROW_CREATING', escrow: { status: 'CREATING' } });
    await reaches(deal, { status: 'ESCROW_FUNDING', closeReason: null, escrow: 'CREATED' });
    const finders = await world.rows(
      'select status from operation where kind = $1 and resource_id = $2',
      ['find-contract', order.escrow?.id],
    );
    expect(finders).toEqual([{ status: 'DONE' }]);
  });

  it('of the funding moves the order on', async () => {
    const deal = await dealIn(world, market, 'ESCROW_FUNDING');
    await lose('fund', () => fundEscrow(world.app, market.call, deal.id));
    await reaches(deal, FUNDED);
    expect(await statusOf(deal, 'escrow.funded')).toEqual(['APPLIED']);
    await ends(deal);
    expect(await effectsOf(world, deal)).toEqual(['deploy', 'fund']);
  });

  it('of the funding comes before its operation has ended: who is too quick may come again', async () => {
    const deal = await dealIn(world, market, 'ESCROW_FUNDING');
    const release = () => releaseOrder(world.app, market.call, deal.id);
    await withoutEngine(async () => {
      await lose('fund', () => fundEscrow(world.app, market.call, deal.id));
      await reaches(deal, FUNDED);
      expect((await refusalOf(release())).code).toBe('SERVICE_UNAVAILABLE');
      expect(await lookAt(world, market, deal)).toEqual(FUNDED);
      await world.engine.runWorker();
    });
    expect(await release()).toMatchObject({ status: 'CLOSED', closeReason: 'RELEASED' });
  });

  it.each([1, 3])('of the last of %i releases pays the seller, once', async (count) => {
    const deal = await dealIn(world, market, 'IN_PROGRESS', { milestones: stones(count) });
    await completeAll(world, market, deal);
    await lose('release', () => releaseOrder(world.app, market.call, deal.id));
    for (let part = 2; part <= count; part += 1) {
      await world.sandbox.arm('escrow', 'release', 'drop-after');
      await driveOn(deal);
    }
    await reaches(deal, { status: 'CLOSED', closeReason: 'RELEASED', escrow: 'RELEASED' });
    expect(await statusOf(deal, 'escrow.released')).toEqual(['APPLIED']);
    expect(await balanceOf(world, market, deal.sellerId)).toBe('95.00 0.00');
    await ends(deal);
  });

  it('of the release pays the seller without the engine, and the operation finds it done', async () => {
    const deal = await dealIn(world, market, 'IN_PROGRESS');
    await withoutEngine(async () => {
      await lose('release', () => releaseOrder(world.app, market.call, deal.id));
      await reaches(deal, { status: 'CLOSED', closeReason: 'RELEASED', escrow: 'RELEASED' });
      expect(await statusOf(deal, 'escrow.released')).toEqual(['APPLIED']);
      expect(await balanceOf(world, market, deal.sellerId)).toBe('95.00 0.00');
      expect(await openOperations(deal)).toEqual([{ kind: 'release-order' }]);
      await world.engine.runWorker();
    });
    expect(await openOperations(deal)).toEqual([]);
    expect(await balanceOf(world, market, deal.sellerId)).toBe('95.00 0.00');
  });

  it('of the refund pays the buyer back', async () => {
    const deal = await dealIn(world, market, 'IN_PROGRESS');
    await lose('resolve', () => refundOrder(world.app, market.call, deal.id, { reason: 'r' }));
    await reaches(deal, { status: 'CLOSED', closeReason: 'REFUNDED', escrow: 'REFUNDED' });
    expect(await statusOf(deal, 'escrow.refunded')).toEqual(['APPLIED']);
    expect(await balanceOf(world, market, deal.buyerId)).toBe('100.00 0.00');
  });

  it.each([
    ['SPLIT', { releaseAmount: '60.00', refundAmount: '40.00' }, '40.00 0.00', '57.00 0.00'],
    ['FULL_RELEASE', {}, '0.00 0.00', '95.00 0.00'],
    ['FULL_REFUND', {}, '100.00 0.00', '0.00 0.00'],
  ] as const)('of a decision for %s carries it out', async (decision, parts, buyer, seller) => {
    const deal = await dealIn(world, market, 'UNDER_REVIEW');
    const wish = { decision, ...parts };
    const step = decision === 'FULL_RELEASE' ? 'release' : 'resolve';
    await lose(step, () => resolveDispute(world.app, market.call, deal.disputeId, wish));
    await reaches(deal, { status: 'CLOSED', dispute: 'RESOLVED' });
    expect(await balanceOf(world, market, deal.buyerId)).toBe(buyer);
    expect(await balanceOf(world, market, deal.sellerId)).toBe(seller);
  });
});

describe('a notice that comes early', () => {
  it('waits until its order has come that far', async () => {
    await world.sandbox.arm('escrow', 'webhook', 'drop-webhook', 10);
    const deal = await dealIn(world, market, 'FUNDS_RESERVED');
    await lose('deploy', () => createEscrow(world.app, market.call, deal.id));
    const created = await noticeOf(world, market, deal, 'escrow.created');
    const funded = await noticeOf(world, market, deal, 'escrow.funded');
    const released = await noticeOf(world, market, deal, 'escrow.released');
    const sent = [released, funded, created];
    for (const each of sent) await sendSigned(world, each);
    const seen = async () => (await Promise.all(sent.map(rowOf))).map((row) => row?.status);
    expect(await seen()).toEqual(['PENDING', 'PENDING', 'PENDING']);
    await ended(created);
    expect(await seen()).toEqual(['PENDING', 'PENDING', 'APPLIED']);
    await fundEscrow(world.app, market.call, deal.id);
    await ended(funded);
    expect(await seen()).toEqual(['PENDING', 'SUPERSEDED', 'APPLIED']);
    await releaseOrder(world.app, market.call, deal.id);
    await ended(released);
    expect(await seen()).toEqual(['SUPERSEDED', 'SUPERSEDED', 'APPLIED']);
    expect(await balanceOf(world, market, deal.sellerId)).toBe('95.00 0.00');
  });

  it('about a contract alone waits until that is known', async () => {
    await world.sandbox.arm('escrow', 'webhook', 'drop-webhook', 10);
    const deal = await dealIn(world, market, 'FUNDS_RESERVED');
    await lose('deploy', () => createEscrow(world.app, market.call, deal.id));
    const contractId = (await world.sandbox.journal()).findLast(
      ({ orderId }) => orderId === deal.id,
    );
    const fields = { contract_id: contractId?.contractId, order_id: null };
    const sent = await noticeOf(world, market, deal, 'escrow.funded', fields);
    await sendSigned(world, sent);
    expect(await rowOf(sent)).toMatchObject({ status: 'PENDING', marketplace_id: null });
    await world.engine.runWorker();
    await fundEscrow(world.app, market.call, deal.id);
    await ended(sent);
    expect(await rowOf(sent)).toMatchObject({ status: 'SUPERSEDED', resource_id: deal.id });
  });
});

describe('a dispute on the network', () => {
  /** Signed by the buyer's wallet, and by no operation of ours. */
  const disputeOutside = async (deal: EscrowedDeal) => {
    const { escrow } = await getOrder(world.app, market.call, deal.id);
    const contractId = escrow?.providerContractId ?? '';
    const signer = escrow?.buyerAddress ?? '';
    const step = { step: 'dispute', kind: 'single-release', contractId, signer } as const;
    const taken = await takeStep(world.custody, market.call, `outside:dispute:${deal.id}`, step);
    expect(taken.kind).toBe('done');
  };

  it('that is not ours makes the escrow disputed; the way on is a dispute', async () => {
    const deal = await dealIn(world, market, 'IN_PROGRESS');
    await disputeOutside(deal);
    await reaches(deal, { ...FUNDED, escrow: 'DISPUTED' });
    expect(await statusOf(deal, 'escrow.disputed')).toEqual(['APPLIED']);
    expect((await refusalOf(releaseOrder(world.app, market.call, deal.id))).code).toBe(
      'INVALID_STATE',
    );
    const complaint = { openedBy: 'SELLER', reason: 'OTHER' } as const;
    await openDispute(world.app, market.call, deal.id, complaint);
    expect(await lookAt(world, market, deal)).toMatchObject({ status: 'DISPUTED' });
  });

  it('that a refund of ours left behind changes nothing: the order can still be settled', async () => {
    const deal = await dealIn(world, market, 'IN_PROGRESS');
    await world.sandbox.arm('escrow', 'resolve', 'reject');
    await refusalOf(refundOrder(world.app, market.call, deal.id, { reason: 'r' }));
    await until(async () => (await statusOf(deal, 'escrow.disputed')).length > 0);
    await settleWebhooks(world);
    expect(await statusOf(deal, 'escrow.disputed')).toEqual(['SUPERSEDED']);
    expect(await lookAt(world, market, deal)).toEqual(FUNDED);
    await releaseOrder(world.app, market.call, deal.id);
    expect(await balanceOf(world, market, deal.sellerId)).toBe('95.00 0.00');
  });
});

describe('webhooks that come twice, late or never', () => {
  const KINDS = ['duplicate-webhook', 'reorder-webhooks', 'drop-webhook'] as const;

  it.each(KINDS)('%s at every step changes nothing in what happens', async (kind) => {
    await world.sandbox.arm('escrow', 'webhook', kind, 12);
    const deal = await dealIn(world, market, 'IN_PROGRESS', { milestones: stones(3) });
    await completeAll(world, market, deal);
    await releaseOrder(world.app, market.call, deal.id);
    await world.sandbox.clearFaults();
    // Lets go what is held back.
    await dealIn(world, market, 'ESCROW_FUNDING');
    await settleWebhooks(world);
    expect(await lookAt(world, market, deal)).toMatchObject({ closeReason: 'RELEASED' });
    expect(await balanceOf(world, market, deal.sellerId)).toBe('95.00 0.00');
    const each = ['status', 'approve', 'release'];
    expect(await effectsOf(world, deal)).toEqual(['deploy', 'fund', ...each, ...each, ...each]);
    const late = (await told(deal)).filter(({ status }) => status !== 'SUPERSEDED');
    expect(late).toEqual([]);
  });
});
