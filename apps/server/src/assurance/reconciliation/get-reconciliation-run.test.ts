//! Tests one run: its progress, visible to its own marketplace only.
import { newId } from '@holdfast/kernel/ids';
import { beforeAll, expect, it } from 'vitest';
import { refusalOf } from '../../testing/escrows.ts';
import { useWorld } from '../../testing/use-world.ts';
import { createReconciliationRun } from './create-reconciliation-run.ts';
import { getReconciliationRun } from './get-reconciliation-run.ts';

const world = useWorld();
beforeAll(async () => {
  const engine = { ...world.app.engine, checkUp: async () => undefined };
  Object.assign(world.app, { engine });
});

it('returns a run in progress to its own marketplace', async () => {
  const [market, other] = [await world.market(), await world.market()];
  const { id } = await createReconciliationRun(world.app, market.call, {});
  expect(await getReconciliationRun(world.app, market.call, id)).toMatchObject({
    status: 'RUNNING',
    providers: ['payment_provider', 'ledger_network'],
    figures: null,
    endedAt: null,
    createdBy: market.keyId,
  });
  for (const [call, runId] of [
    [other.call, id],
    [market.call, newId('rec')],
  ] as const)
    expect(await refusalOf(getReconciliationRun(world.app, call, runId))).toEqual({
      code: 'RUN_NOT_FOUND',
      details: { runId },
    });
});
