import { expect, it } from 'vitest';
import { auditedBy, eventsOf, oneCall, orderIn, snapshotDatabase } from '../../testing/orders.ts';
import { useWorld } from '../../testing/use-world.ts';
import { completeMilestone } from './complete-milestone.ts';

const world = useWorld();

const milestones = [
  { ref: 'm1', title: 'Half', amount: '60.00' },
  { ref: 'm2', title: 'Other half', amount: '40.00' },
];

it('completes one and leaves the others', async () => {
  const market = await world.market();
  const { id } = await orderIn(world, market, 'IN_PROGRESS', { milestones });
  const call = oneCall(market);
  const order = await completeMilestone(world.app, call, id, 'm2');
  expect(order.milestones.map(({ status }) => status)).toEqual(['OPEN', 'COMPLETED']);
  expect(await eventsOf(world, call)).toEqual([
    {
      type: 'escrow.milestone_completed',
      payload: {
        escrowId: order.escrow?.id,
        orderId: id,
        milestoneRef: 'm2',
        milestoneTitle: 'Other half',
        amount: '40.00',
        completedAt: expect.stringMatching(/Z$/),
      },
    },
  ]);
  expect(await auditedBy(world, call)).toEqual([
    {
      action: 'MILESTONE_COMPLETED',
      resource: id,
      before: { milestoneRef: 'm2', milestoneStatus: 'OPEN' },
      after: { milestoneRef: 'm2', milestoneStatus: 'COMPLETED' },
      reason: null,
      result: 'SUCCESS',
    },
  ]);
});

it('refuses a repeat, an early call and an unknown name, and changes nothing', async () => {
  const market = await world.market();
  const working = await orderIn(world, market, 'IN_PROGRESS', { milestones });
  const waiting = await orderIn(world, market, 'FUNDS_RESERVED', { milestones });
  await completeMilestone(world.app, market.call, working.id, 'm1');
  const before = await snapshotDatabase(world);
  const complete = (id: typeof working.id, ref: string) =>
    completeMilestone(world.app, market.call, id, ref);
  await expect(complete(working.id, 'm1')).rejects.toMatchObject({
    code: 'INVALID_STATE',
    details: { resource: 'milestone', state: 'COMPLETED' },
  });
  await expect(complete(waiting.id, 'm1')).rejects.toMatchObject({
    code: 'INVALID_STATE',
    details: { resource: 'order', state: 'FUNDS_RESERVED' },
  });
  await expect(complete(working.id, 'm9')).rejects.toMatchObject({
    code: 'MILESTONE_NOT_FOUND',
    details: { orderId: working.id, ref: 'm9' },
  });
  expect(await snapshotDatabase(world)).toEqual(before);
});

it('completes it once for ten requests at once, and others at the same time', async () => {
  const market = await world.market();
  const { id } = await orderIn(world, market, 'IN_PROGRESS', { milestones });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, (_, at) =>
      completeMilestone(world.app, market.call, id, at % 2 === 0 ? 'm1' : 'm2'),
    ),
  );
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused.map(({ reason }) => reason.code)).toEqual(Array(8).fill('INVALID_STATE'));
});
