//! A worker that is stopped in the middle of real orders and wakes up when others have ended them.
//! The pause is 13 s, more than the sweeper's silence limit; PAUSE_SECONDS makes it longer.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { beginHeld, driven, type HeldPlan, judge, openAll } from './held.ts';
import { faults, openWorkerStage, rest, type WorkerStage } from './stage.ts';

const { PAUSE_SECONDS = '13' } = process.env;
const PAUSE_MS = Number(PAUSE_SECONDS) * 1000;
/** Long enough for whoever woke up to do all that it still would. */
const AWAKE_MS = 3000;

const HELD: readonly HeldPlan[] = [
  { saga: 'release', milestones: 0, step: 'release-order:release', way: 'before' },
  { saga: 'release', milestones: 3, step: 'release-order:release-2', way: 'after' },
  { saga: 'refund', milestones: 0, step: 'refund-order:dispute', way: 'before' },
  { saga: 'fund escrow', milestones: 0, step: 'fund-escrow:fund', way: 'after' },
];

let stage: WorkerStage;
beforeAll(async () => {
  stage = await openWorkerStage({ HOLDFAST_SPARE_WALLETS: '0' });
}, 120_000);
afterAll(async () => {
  await stage?.stop();
});

/** All that a drive writes, and what follows from it. */
async function imprint(): Promise<Record<string, unknown[]>> {
  const tables = {
    operation: 'select * from operation order by id',
    step: 'select * from operation_step order by operation_id, name',
    envelope: `select * from envelope where purpose ~ ':op_' order by purpose, attempt`,
    order: 'select * from orders order by id',
    escrow: 'select * from escrow order by id',
    entry: 'select count(*) from entry',
    // What the house began with is noted by a job, at the first moment of rest.
    audit: `select count(*) from audit where action <> 'CAPITAL_RECORDED'`,
    event: 'select count(*) from event',
    outbox: `select * from outbox where audit_id is null
      or audit_id not in (select id from audit where action = 'CAPITAL_RECORDED')`,
  };
  const rows: Record<string, unknown[]> = {};
  for (const [name, text] of Object.entries(tables))
    rows[name] = (await stage.monitor.query(text)).rows;
  return rows;
}

it(`paused for ${PAUSE_SECONDS} s: others end its orders, and it writes nothing when it wakes`, async () => {
  const begun = await beginHeld(stage, HELD);
  const frozen = stage.worker;
  process.kill(frozen.pid, 'SIGSTOP');
  const pausedAt = performance.now();
  const other = await stage.startWorker();
  await rest(stage);
  await sleep(Math.max(0, PAUSE_MS - (performance.now() - pausedAt)));
  const before = await imprint();

  process.kill(frozen.pid, 'SIGCONT');
  const answered = await openAll(begun);
  await sleep(AWAKE_MS);
  expect(answered).toEqual(HELD.map(() => true));
  expect(await imprint()).toEqual(before);

  for (const each of begun) {
    expect(await judge(stage, each)).toEqual([]);
    const { status, attempts } = await driven(stage, each);
    expect(status).toBe('DONE');
    expect(attempts).toBeGreaterThan(1);
  }
  expect(await faults(stage)).toEqual([]);

  await other.kill('SIGKILL');
  const again = await beginHeld(stage, HELD.slice(0, 1));
  expect(await openAll(again)).toEqual([true]);
  await rest(stage);
  for (const each of again) expect(await judge(stage, each)).toEqual([]);
  expect(await faults(stage)).toEqual([]);
}, 240_000);
