import type { DisputeId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import { orderIn } from '../../testing/orders.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { useWorld } from '../../testing/use-world.ts';
import { createDisputeEvidence } from './create-dispute-evidence.ts';
import { listDisputeEvidence } from './list-dispute-evidence.ts';

const world = useWorld();

it('lists both sides, newest first, page by page, to their own marketplace only', async () => {
  const market = await world.market();
  const disputeId = (await orderIn(world, market, 'DISPUTED')).disputeId as DisputeId;
  for (const party of ['BUYER', 'SELLER', 'BUYER'] as const)
    await createDisputeEvidence(world.app, market.call, disputeId, { party, statement: party });
  const page = async (query: string) =>
    (await market.send('GET', `/disputes/${disputeId}/evidence?limit=2${query}`)).json.data;
  const first = await page('');
  expect(first.data).toMatchObject([
    { party: 'BUYER', statement: 'BUYER', evidence: [], addedBy: market.keyId },
    { party: 'SELLER' },
  ]);
  expect((await page(`&cursor=${first.nextCursor}`)).data).toMatchObject([{ party: 'BUYER' }]);
  const otherMarket = await world.market();
  await expect(listDisputeEvidence(world.app, otherMarket.call, disputeId, {})).rejects.toSatisfy(
    isRefusal('DISPUTE_NOT_FOUND'),
  );
});
