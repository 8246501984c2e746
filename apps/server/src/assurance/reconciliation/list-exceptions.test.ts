//! Tests the list of exceptions: newest first, by its filters.

import { newId } from '@holdfast/kernel/ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EscrowWorld } from '../../testing/escrows.ts';
import {
  openReconciledWorld,
  readingOf,
  reconciled,
  strayPayin,
} from '../../testing/reconciliation.ts';
import type { Market } from '../../testing/world.ts';
import { listExceptions } from './list-exceptions.ts';
import { resolveException } from './resolve-exception.ts';

let world: EscrowWorld;
let market: Market;
let runs: Awaited<ReturnType<typeof reconciled>>[];
beforeAll(async () => {
  world = await openReconciledWorld();
  market = await world.market();
  await readingOf(world);
  runs = [];
  for (const cents of [100n, 200n, 300n]) {
    await strayPayin(world, cents);
    runs.push(await reconciled(world, market, { providers: ['payment_provider'] }));
  }
}, 60_000);
afterAll(() => world.close());

const amountsOf = async (query: Parameters<typeof listExceptions>[2]) => {
  const { items } = await listExceptions(world.app, market.call, query);
  return items.map(({ stroops }) => stroops / 100_000n);
};

describe('exceptions', () => {
  it('come newest first, page by page', async () => {
    expect(await amountsOf({})).toEqual([300n, 200n, 100n]);
    const first = await listExceptions(world.app, market.call, { limit: '2' });
    expect(first).toMatchObject({ hasMore: true, nextCursor: first.items[1]?.id });
    const cursor = first.nextCursor ?? '';
    expect(await amountsOf({ limit: '2', cursor })).toEqual([100n]);
  });

  it('of a run are those that it found and those that it last saw', async () => {
    const [one, , three] = runs;
    expect(await amountsOf(one ? { runId: one.id } : {})).toEqual([100n]);
    expect(await amountsOf(three ? { runId: three.id } : {})).toEqual([300n, 200n, 100n]);
  });

  it('are found by cause and by status', async () => {
    expect(await amountsOf({ cause: 'DUST' })).toEqual([]);
    const { items } = await listExceptions(world.app, market.call, { limit: '1' });
    const id = items[0]?.id ?? newId('exc');
    const input = { action: 'BOOK_TO_SUSPENSE', reason: 'it will be claimed' } as const;
    await resolveException(world.app, market.call, id, input);
    expect(await amountsOf({ status: 'OPEN' })).toEqual([200n, 100n]);
    expect(await amountsOf({ status: 'RESOLVED', cause: 'PAYIN_MISSING_HERE' })).toEqual([300n]);
  });

  it('of another marketplace are not listed', async () => {
    const other = await world.market();
    expect((await listExceptions(world.app, other.call, {})).items).toEqual([]);
  });
});
