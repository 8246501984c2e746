import type { Clock } from '@holdfast/kernel/clock';
import { systemClock } from '@holdfast/kernel/clock';
import { expect, it } from 'vitest';
import { read } from '../../platform/database/transact.ts';
import { orderIn } from '../../testing/orders.ts';
import { useWorld } from '../../testing/use-world.ts';
import { findHead, listDays, sumBefore } from './insight-hour.ts';
import { floorHour, recordInsights } from './record-insights.ts';

const HOUR_MS = 3_600_000;

let offsetMs = 0;
const clock: Clock = { now: () => systemClock.now() + offsetMs };
const world = useWorld({ clock });

it('sums each hour once, and returns the same before and after', async () => {
  const market = await world.market();
  const since = floorHour(clock.now());
  const snapshot = () =>
    read(world.app, market.call, async (tx) => {
      const head = await findHead(tx);
      return { days: await listDays(tx, since - 48 * HOUR_MS, head), head };
    });
  const total = ({ days }: Awaited<ReturnType<typeof snapshot>>) =>
    days.reduce(
      (sum, day) => ({
        escrow: sum.escrow + day.escrow,
        created: sum.created + day.created,
        funded: sum.funded + day.funded,
      }),
      { escrow: 0n, created: 0, funded: 0 },
    );
  await orderIn(world, market, 'IN_PROGRESS');
  await orderIn(world, market, 'FUNDS_RESERVED');
  const expected = { escrow: 10_000n, created: 2, funded: 1 };
  expect(total(await snapshot())).toEqual(expected);
  // The hour is over, and the slack with it.
  offsetMs = 2 * HOUR_MS;
  await recordInsights(world.worker);
  const summed = await snapshot();
  expect(total(summed)).toEqual(expected);
  expect(summed.head).toBe(floorHour(clock.now() - 600_000));
  await orderIn(world, market, 'IN_PROGRESS', { amount: '50.00' });
  const grown = { escrow: 15_000n, created: 3, funded: 2 };
  expect(total(await snapshot())).toEqual(grown);
  offsetMs = 4 * HOUR_MS;
  await Promise.all([recordInsights(world.worker), recordInsights(world.worker)]);
  expect(total(await snapshot())).toEqual(grown);
  const before = await read(world.app, market.call, async (tx) =>
    sumBefore(tx, clock.now(), await findHead(tx)),
  );
  expect(before).toEqual([{ currency: 'USD', reserved: 10_000n, escrow: 15_000n }]);
  offsetMs = 0;
});
