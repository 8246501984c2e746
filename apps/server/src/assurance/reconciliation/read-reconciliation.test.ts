//! Tests the reads of runs and of exceptions: newest first, by their filters, with their figures.
import { newId } from '@holdfast/kernel/ids';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  readingOf,
  reconciled,
  strayPayin,
  useReconciledWorld,
} from '../../testing/reconciliation.ts';
import { useWorld } from '../../testing/use-world.ts';
import { createReconciliationRun } from './create-reconciliation-run.ts';
import {
  getException,
  getReconciliationRun,
  listExceptions,
  listReconciliationRuns,
} from './read-reconciliation.ts';
import { resolveException } from './resolve-exception.ts';

const { world, market } = useReconciledWorld();
/** Nothing executes its runs. */
const idle = useWorld();
const payins: string[] = [];
const runs: Awaited<ReturnType<typeof reconciled>>[] = [];
beforeAll(async () => {
  await readingOf(world);
  for (const cents of [100n, 200n, 300n]) {
    payins.push(await strayPayin(world, cents));
    runs.push(await reconciled(world, market, { providers: ['payment_provider'] }));
  }
});

describe('runs', () => {
  it('in progress have no figures yet', async () => {
    const { call, keyId } = await idle.market();
    const engine = { ...idle.app.engine, checkUp: async () => undefined };
    const { id } = await createReconciliationRun({ ...idle.app, engine }, call, {});
    expect(await getReconciliationRun(idle.app, call, id)).toMatchObject({
      status: 'RUNNING',
      providers: ['payment_provider', 'ledger_network'],
      figures: null,
      endedAt: null,
      createdBy: keyId,
    });
  });

  it('are listed newest first, with their figures, by status and time', async () => {
    const list = async (query: Parameters<typeof listReconciliationRuns>[2]) =>
      (await listReconciliationRuns(world.app, market.call, query)).items;
    const done = await list({ status: 'DONE' });
    expect(done.map(({ id }) => id)).toEqual(runs.map(({ id }) => id).reverse());
    expect(done.map(({ figures }) => [figures?.opened, figures?.seenAgain])).toEqual([
      [1, 2],
      [1, 1],
      [1, 0],
    ]);
    expect(await list({ status: 'RUNNING' })).toEqual([]);
    const later = new Date(world.app.clock.now() + 60_000).toISOString();
    expect(await list({ createdAfter: later })).toEqual([]);
  });
});

describe('exceptions', () => {
  const amountsOf = async (query: Parameters<typeof listExceptions>[2]) => {
    const { items } = await listExceptions(world.app, market.call, query);
    return items.map(({ stroops }) => stroops / 100_000n);
  };

  it('are listed newest first', async () => {
    expect(await amountsOf({})).toEqual([287n, 188n, 89n]);
    expect(await amountsOf({ cause: 'DUST' })).toEqual([]);
  });

  it('of a run are those that it found and those that it last saw', async () => {
    const [one, , three] = runs;
    expect(await amountsOf(one ? { runId: one.id } : {})).toEqual([89n]);
    expect(await amountsOf(three ? { runId: three.id } : {})).toEqual([287n, 188n, 89n]);
  });

  it('show both sides and the allowed actions, and later the action taken', async () => {
    const { call, keyId } = market;
    const { items } = await listExceptions(world.app, call, { limit: '1' });
    const id = items[0]?.id ?? newId('exc', Date.now());
    expect(await getException(world.app, call, id)).toMatchObject({
      cause: 'PAYIN_MISSING_HERE',
      ours: null,
      theirs: { id: payins[2], status: 'CONFIRMED', amount: '2.87' },
      suggestedActions: ['BOOK_TO_SUSPENSE', 'CREDIT_USER', 'WRITE_OFF'],
      resolution: null,
    });
    const input = { action: 'BOOK_TO_SUSPENSE', reason: 'it will be claimed' } as const;
    await resolveException(world.app, call, id, input);
    expect(await getException(world.app, call, id)).toMatchObject({
      status: 'RESOLVED',
      suggestedActions: [],
      resolution: { ...input, resolvedBy: keyId },
    });
    expect(await amountsOf({ status: 'OPEN' })).toEqual([188n, 89n]);
    expect(await amountsOf({ status: 'RESOLVED', cause: 'PAYIN_MISSING_HERE' })).toEqual([287n]);
  });
});
