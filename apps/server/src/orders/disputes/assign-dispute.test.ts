import { randomUUID } from 'node:crypto';
import type { DisputeId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import { auditedBy, eventsOf, oneCall, orderIn, snapshotDatabase } from '../../testing/orders.ts';
import { useWorld } from '../../testing/use-world.ts';
import type { Market } from '../../testing/world.ts';
import { assignDispute } from './assign-dispute.ts';

const world = useWorld();

async function openedIn(market: Market): Promise<{ orderId: string; disputeId: DisputeId }> {
  const { id, disputeId } = await orderIn(world, market, 'DISPUTED');
  if (disputeId === null) throw new Error('it is disputed');
  return { orderId: id, disputeId };
}

it('assigns an open dispute to an agent', async () => {
  const market = await world.market();
  const { orderId, disputeId } = await openedIn(market);
  const call = oneCall(market);
  expect(await assignDispute(world.app, call, disputeId, { assignedTo: 'agent-7' })).toMatchObject({
    status: 'UNDER_REVIEW',
    assignedTo: 'agent-7',
  });
  expect(await eventsOf(world, call)).toEqual([
    {
      type: 'dispute.under_review',
      payload: {
        disputeId,
        orderId,
        reviewedBy: 'agent-7',
        reviewStartedAt: expect.stringMatching(/Z$/),
      },
    },
  ]);
  expect(await auditedBy(world, call)).toEqual([
    {
      action: 'DISPUTE_ASSIGNED',
      resource: disputeId,
      before: { status: 'OPEN' },
      after: { status: 'UNDER_REVIEW', assignedTo: 'agent-7' },
      reason: null,
      result: 'SUCCESS',
    },
  ]);
});

it('refuses a dispute under review, and changes nothing', async () => {
  const market = await world.market();
  const { disputeId } = await openedIn(market);
  await assignDispute(world.app, market.call, disputeId, { assignedTo: 'agent-1' });
  const before = await snapshotDatabase(world);
  await expect(
    assignDispute(world.app, market.call, disputeId, { assignedTo: 'agent-2' }),
  ).rejects.toMatchObject({
    code: 'INVALID_STATE',
    details: { resource: 'dispute', id: disputeId, state: 'UNDER_REVIEW', allowed: ['OPEN'] },
  });
  expect(await snapshotDatabase(world)).toEqual(before);
});

it('assigns to one agent, of ten requests at once', async () => {
  const market = await world.market();
  const { disputeId } = await openedIn(market);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, (_, at) =>
      assignDispute(world.app, market.call, disputeId, { assignedTo: `agent-${at}` }),
    ),
  );
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused.map(({ reason }) => reason.code)).toEqual(Array(9).fill('INVALID_STATE'));
});

it('replays under an Idempotency-Key, to the byte', async () => {
  const market = await world.market();
  const { disputeId } = await openedIn(market);
  const send = (assignedTo: string, key: string) =>
    market.send('POST', `/disputes/${disputeId}/assign`, {
      body: { assigned_to: assignedTo },
      headers: { 'idempotency-key': key },
    });
  const key = randomUUID();
  const first = await send('agent-1', key);
  const again = await send('agent-1', key);
  expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
  expect(again.headers['idempotency-replay']).toBe('true');
  expect((await send('agent-2', key)).json.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
  const late = randomUUID();
  const [refused, refusedAgain] = [await send('agent-2', late), await send('agent-2', late)];
  expect([refused.status, refused.json.error.code]).toEqual([400, 'INVALID_STATE']);
  expect(refusedAgain.text).toBe(refused.text);
});
