import type { EscrowId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import { read } from '../../platform/database/transact.ts';
import { orderIn } from '../../testing/orders.ts';
import { useWorld } from '../../testing/use-world.ts';
import { findEscrowOrder } from './find-escrow-order.ts';

const world = useWorld();

it('finds the order of an escrow, within its marketplace', async () => {
  const [mine, theirs] = [await world.market(), await world.market()];
  const { id } = await orderIn(world, mine, 'IN_PROGRESS');
  const [row] = await world.rows<{ id: EscrowId }>('select id from escrow where order_id = $1', [
    id,
  ]);
  const find = (market: typeof mine) =>
    read(world.app, market.call, (tx) => findEscrowOrder(tx, row?.id ?? 'esc_none'));
  expect(await find(mine)).toBe(id);
  expect(await find(theirs)).toBeUndefined();
});
