import { expect, it } from 'vitest';
import { orderIn } from '../../testing/orders.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { useWorld } from '../../testing/use-world.ts';
import { getEntry } from './get-entry.ts';
import { listBookEntries } from './list-book-entries.ts';

const world = useWorld();

it('shows both sides of an entry, and its related entries', async () => {
  const market = await world.market();
  const { id: orderId, buyerId } = await orderIn(world, market, 'IN_PROGRESS');
  const { items } = await listBookEntries(world.app, market.call, { subjectId: orderId });
  const id = items[0]?.id ?? '';
  const { json } = await market.send('GET', `/ledger/entries/${id}`);
  expect(json.data.data).toMatchObject({
    entry: {
      id,
      kind: 'escrow_fund',
      amount: '100.00',
      from: { accountId: `user.${buyerId}.USD`, bucket: 'reserved', reserved: '0.00' },
      to: { accountId: `escrow.${orderId}.USD`, bucket: 'available', available: '100.00' },
      subjectId: orderId,
    },
    related: [{ kind: 'order_hold', from: { bucket: 'available' }, to: { bucket: 'reserved' } }],
  });
  const otherMarket = await world.market();
  for (const [call, entryId] of [
    [otherMarket.call, id],
    [market.call, '1'],
    [market.call, '9999999999999999999'],
  ] as const)
    await expect(getEntry(world.app, call, entryId)).rejects.toSatisfy(
      isRefusal('ENTRY_NOT_FOUND'),
    );
});
