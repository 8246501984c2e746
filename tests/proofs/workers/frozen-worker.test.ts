//! A worker is frozen in the middle of orders and resumes after other workers have completed them.
//! The pause is 13 s, more than the sweeper's silence limit; PAUSE_SECONDS makes it longer.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { faults, openWorkerEnvironment, rest, type WorkerEnvironment } from './environment.ts';
import { checkHeld, type HeldPlan, openAll, operationOf, startHeld } from './held.ts';

const { PAUSE_SECONDS = '13' } = process.env;
const PAUSE_MS = Number(PAUSE_SECONDS) * 1000;
/** Long enough for the resumed worker to do all that it still would. */
const AWAKE_MS = 3000;

const HELD: readonly HeldPlan[] = [
  { saga: 'release', milestones: 0, step: 'release-order:release', way: 'before' },
  { saga: 'release', milestones: 3, step: 'release-order:release-2', way: 'after' },
  { saga: 'refund', milestones: 0, step: 'refund-order:dispute', way: 'before' },
  { saga: 'fund escrow', milestones: 0, step: 'fund-escrow:fund', way: 'after' },
];

let environment: WorkerEnvironment;
beforeAll(async () => {
  environment = await openWorkerEnvironment({ HOLDFAST_SPARE_WALLETS: '0' });
}, 120_000);
afterAll(async () => {
  await environment?.stop();
});

/** Everything that an attempt writes, and its consequences. */
async function snapshotRows(): Promise<Record<string, unknown[]>> {
  const tables = {
    operation: 'select * from operation order by id',
    step: 'select * from operation_step order by operation_id, name',
    envelope: `select * from envelope where purpose ~ ':op_' order by purpose, attempt`,
    order: 'select * from orders order by id',
    escrow: 'select * from escrow order by id',
    entry: 'select count(*) from entry',
    // A job records the initial capital of the house at the first idle moment.
    audit: `select count(*) from audit where action <> 'CAPITAL_RECORDED'`,
    event: 'select count(*) from event',
    outbox: `select * from outbox where audit_id is null
      or audit_id not in (select id from audit where action = 'CAPITAL_RECORDED')`,
  };
  const rows: Record<string, unknown[]> = {};
  for (const [name, text] of Object.entries(tables))
    rows[name] = (await environment.monitor.query(text)).rows;
  return rows;
}

it(`a worker frozen ${PAUSE_SECONDS} s writes nothing after others end its orders`, async () => {
  const started = await startHeld(environment, HELD);
  const frozen = environment.worker;
  process.kill(frozen.pid, 'SIGSTOP');
  const pausedAt = performance.now();
  const other = await environment.startWorker();
  await rest(environment);
  await sleep(Math.max(0, PAUSE_MS - (performance.now() - pausedAt)));
  const before = await snapshotRows();

  process.kill(frozen.pid, 'SIGCONT');
  const responded = await openAll(started);
  await sleep(AWAKE_MS);
  expect(responded).toEqual(HELD.map(() => true));
  expect(await snapshotRows()).toEqual(before);

  for (const each of started) {
    expect(await checkHeld(environment, each)).toEqual([]);
    const { status, attempts } = await operationOf(environment, each);
    expect(status).toBe('DONE');
    expect(attempts).toBeGreaterThan(1);
  }
  expect(await faults(environment)).toEqual([]);

  await other.kill('SIGKILL');
  const again = await startHeld(environment, HELD.slice(0, 1));
  expect(await openAll(again)).toEqual([true]);
  await rest(environment);
  for (const each of again) expect(await checkHeld(environment, each)).toEqual([]);
  expect(await faults(environment)).toEqual([]);
}, 240_000);
