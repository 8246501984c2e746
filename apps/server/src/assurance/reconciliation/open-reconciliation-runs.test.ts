//! Tests that runs start by themselves, one per marketplace, once its last one is old enough.
import { beforeAll, expect, it } from 'vitest';
import { useWorld } from '../../testing/use-world.ts';
import { openReconciliationRuns } from './open-reconciliation-runs.ts';

const world = useWorld({ env: { HOLDFAST_RECONCILIATION_MINUTES: '60' } });
beforeAll(async () => {
  const engine = { ...world.worker.engine, checkUp: async () => undefined };
  Object.assign(world.worker, { engine });
});

const hourOn = (hours: number) => ({
  ...world.worker,
  clock: { now: () => world.worker.clock.now() + hours * 3_600_000 },
});

it('starts one for each marketplace, and none while that one runs', async () => {
  await world.market();
  await world.market();
  expect(await openReconciliationRuns(world.worker)).toBe(0);
  const twice = await Promise.all([
    openReconciliationRuns(hourOn(2)),
    openReconciliationRuns(hourOn(2)),
  ]);
  expect(twice[0] + twice[1]).toBe(2);
  expect(await openReconciliationRuns(hourOn(4))).toBe(0);
  const open = await world.rows(
    `select created_by, status, providers from reconciliation_run order by marketplace_id`,
  );
  const run = {
    created_by: 'system',
    status: 'RUNNING',
    providers: ['payment_provider', 'ledger_network'],
  };
  expect(open).toEqual([run, run]);
});

it('starts none where it is turned off', async () => {
  const app = hourOn(4);
  const off = {
    ...app,
    config: { ...app.config, HOLDFAST_RECONCILIATION_MINUTES: 'off' as const },
  };
  expect(await openReconciliationRuns(off)).toBe(0);
});
