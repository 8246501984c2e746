import { expect, it } from 'vitest';
import { getBalance } from '../../accounts/books/get-balance.ts';
import { transact } from '../../platform/database/transact.ts';
import { auditedBy, eventsOf, oneCall, orderIn, snapshotDatabase } from '../../testing/orders.ts';
import { useWorld } from '../../testing/use-world.ts';
import { moveEscrow } from '../model/escrow.ts';
import { lockOrder } from '../model/order.ts';
import { openDispute } from './open-dispute.ts';

const world = useWorld();

const complaint = { openedBy: 'SELLER', reason: 'QUALITY_ISSUE' } as const;

it('disputes order and escrow, and moves no money', async () => {
  const market = await world.market();
  const { id, buyerId, sellerId } = await orderIn(world, market, 'IN_PROGRESS');
  const call = oneCall(market);
  const evidence = ['https://example.test/a.png'];
  const dispute = await openDispute(world.app, call, id, { ...complaint, evidence });
  expect(dispute).toMatchObject({
    status: 'OPEN',
    orderId: id,
    evidence,
    order: { status: 'DISPUTED', escrow: { status: 'DISPUTED' }, dispute: { id: dispute.id } },
  });
  for (const userId of [buyerId, sellerId])
    expect(await getBalance(world.app, market.call, userId)).toMatchObject({
      available: 0n,
      reserved: 0n,
    });
  const openedAt = expect.stringMatching(/Z$/);
  const payload = { disputeId: dispute.id, orderId: id, ...complaint, openedAt };
  expect(await eventsOf(world, call)).toEqual([
    { type: 'dispute.opened', payload: { ...payload, evidence } },
    { type: 'order.disputed', payload: payload },
  ]);
  expect(await auditedBy(world, call)).toEqual([
    {
      action: 'DISPUTE_OPENED',
      resource: dispute.id,
      before: { orderId: id, orderStatus: 'IN_PROGRESS', escrowStatus: 'FUNDED' },
      after: {
        orderId: id,
        orderStatus: 'DISPUTED',
        escrowStatus: 'DISPUTED',
        status: 'OPEN',
        ...complaint,
      },
      reason: null,
      result: 'SUCCESS',
    },
  ]);
});

it('is allowed for a contract that the network shows disputed', async () => {
  const market = await world.market();
  const { id } = await orderIn(world, market, 'IN_PROGRESS');
  await transact(world.app, market.call, async (tx) => {
    const { escrow } = await lockOrder(tx, id);
    if (escrow !== null) await moveEscrow(tx, escrow, 'foundDisputed');
  });
  expect((await openDispute(world.app, market.call, id, complaint)).order).toMatchObject({
    status: 'DISPUTED',
    escrow: { status: 'DISPUTED' },
  });
});

it.each(['ORDER_CREATED', 'FUNDS_RESERVED', 'ESCROW_FUNDING', 'DISPUTED', 'CLOSED'] as const)(
  'is refused in %s, and changes nothing',
  async (state) => {
    const market = await world.market();
    const { id } = await orderIn(world, market, state);
    const before = await snapshotDatabase(world);
    await expect(openDispute(world.app, market.call, id, complaint)).rejects.toMatchObject({
      code: 'INVALID_STATE',
      details: { resource: 'order', state },
    });
    expect(await snapshotDatabase(world)).toEqual(before);
  },
);

it('opens one for ten requests at once', async () => {
  const market = await world.market();
  const { id } = await orderIn(world, market, 'IN_PROGRESS');
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => openDispute(world.app, market.call, id, complaint)),
  );
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused.map(({ reason }) => reason.code)).toEqual(Array(9).fill('INVALID_STATE'));
  expect(
    await world.rows('select count(*)::int as n from dispute where order_id = $1', [id]),
  ).toEqual([{ n: 1 }]);
});
