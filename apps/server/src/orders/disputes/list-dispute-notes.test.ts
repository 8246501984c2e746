import type { DisputeId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import { orderIn } from '../../testing/orders.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { useWorld } from '../../testing/use-world.ts';
import { createDisputeNote } from './create-dispute-note.ts';
import { listDisputeNotes } from './list-dispute-notes.ts';

const world = useWorld();

it('lists the notes of one dispute, newest first, page by page', async () => {
  const market = await world.market();
  const disputeId = (await orderIn(world, market, 'DISPUTED')).disputeId as DisputeId;
  const other = (await orderIn(world, market, 'DISPUTED')).disputeId as DisputeId;
  for (const text of ['one', 'two', 'three'])
    await createDisputeNote(world.app, market.call, disputeId, { text });
  await createDisputeNote(world.app, market.call, other, { text: 'elsewhere' });
  const list = (query: { limit?: string; cursor?: string }) =>
    listDisputeNotes(world.app, market.call, disputeId, query);
  const first = await list({ limit: '2' });
  expect(first.items.map(({ text }) => text)).toEqual(['three', 'two']);
  const rest = await list({ cursor: first.nextCursor ?? '' });
  expect(rest.items.map(({ text }) => text)).toEqual(['one']);
  const otherMarket = await world.market();
  await expect(listDisputeNotes(world.app, otherMarket.call, disputeId, {})).rejects.toSatisfy(
    isRefusal('DISPUTE_NOT_FOUND'),
  );
});
