//! Tests the list of runs: newest first, with their figures.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EscrowWorld } from '../../testing/escrows.ts';
import {
  openReconciledWorld,
  readingOf,
  reconciled,
  strayPayin,
} from '../../testing/reconciliation.ts';
import type { Market } from '../../testing/world.ts';
import { listReconciliationRuns } from './list-reconciliation-runs.ts';

let world: EscrowWorld;
let market: Market;
beforeAll(async () => {
  world = await openReconciledWorld();
  market = await world.market();
  await readingOf(world);
}, 60_000);
afterAll(() => world.close());

it('returns runs newest first, with their figures, and only those of the marketplace', async () => {
  const ids: string[] = [];
  for (const cents of [100n, 200n]) {
    await strayPayin(world, cents);
    ids.unshift((await reconciled(world, market, { providers: ['payment_provider'] })).id);
  }
  const { items } = await listReconciliationRuns(world.app, market.call, { status: 'DONE' });
  expect(items.map(({ id }) => id)).toEqual(ids);
  expect(items.map(({ figures }) => [figures?.opened, figures?.seenAgain])).toEqual([
    [1, 1],
    [1, 0],
  ]);
  const { call } = market;
  const page = await listReconciliationRuns(world.app, call, { limit: '1', cursor: ids[0] ?? '' });
  expect(page.items.map(({ id }) => id)).toEqual(ids.slice(1));
  const running = await listReconciliationRuns(world.app, call, { status: 'RUNNING' });
  expect(running.items).toEqual([]);
  const later = { createdAfter: new Date(world.app.clock.now() + 60_000).toISOString() };
  expect((await listReconciliationRuns(world.app, call, later)).items).toEqual([]);
  const other = await world.market();
  expect((await listReconciliationRuns(world.app, other.call, {})).items).toEqual([]);
});
