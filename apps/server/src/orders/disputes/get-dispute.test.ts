import { expect, it } from 'vitest';
import { orderIn } from '../../testing/orders.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { useWorld } from '../../testing/use-world.ts';
import { getDispute } from './get-dispute.ts';

const world = useWorld();

it('returns a dispute to its own marketplace only', async () => {
  const [mine, theirs] = [await world.market(), await world.market()];
  const { id: orderId, disputeId } = await orderIn(world, mine, 'DISPUTED');
  if (disputeId === null) throw new Error('it is disputed');
  expect(await getDispute(world.app, mine.call, disputeId)).toMatchObject({
    id: disputeId,
    orderId,
    status: 'OPEN',
    openedBy: 'BUYER',
    reason: 'NOT_DELIVERED',
    evidence: null,
    assignedTo: null,
  });
  await expect(getDispute(world.app, theirs.call, disputeId)).rejects.toSatisfy(
    isRefusal('DISPUTE_NOT_FOUND'),
  );
});
