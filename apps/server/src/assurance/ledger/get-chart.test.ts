import { expect, it } from 'vitest';
import { orderIn } from '../../testing/orders.ts';
import { useWorld } from '../../testing/use-world.ts';
import { getChart } from './get-chart.ts';

const world = useWorld();

it('sums every kind of account, and all of them to zero', async () => {
  const market = await world.market();
  await orderIn(world, market, 'IN_PROGRESS', { funds: '130.00' });
  const { json } = await market.send('GET', '/ledger/chart');
  const { lines, sums } = json.data.data;
  const totals = Object.fromEntries(
    lines.map(({ kind, total }: { kind: string; total: string }) => [kind, total]),
  );
  expect(totals).toMatchObject({ user: '30.00', escrow: '100.00', adjustments: '-130.00' });
  expect(sums).toContainEqual({ currency: 'USD', total: '0.00' });
  const otherMarket = await world.market();
  expect((await getChart(world.app, otherMarket.call)).lines).toEqual([]);
});
