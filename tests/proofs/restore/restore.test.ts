//! The database is set back to a moment at which a withdrawal was committed and not paid. The
//! journal of the sandbox says how often its payee is paid, and one recovery ends the withdrawal.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, expect, it } from 'vitest';
import { createTemporaryFolder } from '../../../apps/cli/src/temporary-folder.ts';
import { call, dataOf } from '../../harness/api.ts';
import { createPerson } from '../../harness/people.ts';
import { rest } from '../../harness/rest.ts';
import { type Restorable, startRestorable } from '../../harness/restorable-postgres.ts';
import { needed } from '../../harness/set.ts';
import { within } from '../../harness/wait.ts';
import { listPayments, openRun, type Run, readStatus } from './environment.ts';
import { readHistory, readRestateMark } from './history.ts';
import { awaitRecovery, openAgain } from './recovery.ts';

const AMOUNT = '20.00';
const PAID_MS_MAX = 30_000;
/** For a worker without protection to pay again. */
const QUIET_MS = 4000;

const logs = createTemporaryFolder('holdfast-restore');
let postgres: Restorable | undefined;
let run: Run | undefined;
afterEach(async () => {
  await run?.stop();
  postgres?.stop();
});
afterAll(() => logs.remove());

const timesPaid = async (opened: Run) =>
  (await listPayments(opened)).filter(({ amount }) => amount === AMOUNT).length;
const statusOf = async (opened: Run) => (await readStatus(opened))?.['status'];

/** The worker is away, so nothing of it is signed. Returns its id. */
async function commitWithoutWorker(opened: Run): Promise<string> {
  const { post, target, payee, monitor } = opened;
  const { id: userId } = await createPerson(post, { credit: '50.00' });
  await rest(monitor);
  const input = { userId, amount: AMOUNT, currency: 'USD' };
  const destination = { type: 'crypto', ref: payee };
  const { id } = await post('/withdrawals', { ...input, destination }, randomUUID());
  await opened.killWorkers();
  await call(target, { path: `/withdrawals/${String(id)}/commit`, method: 'POST', msMax: 2000 });
  return String(id);
}

/** As soon as a worker has decided, and long enough for another payment. */
async function settle(opened: Run): Promise<void> {
  const isDecided = async () =>
    (await statusOf(opened)) === 'REWOUND' || (await timesPaid(opened)) > 1;
  await within(PAID_MS_MAX, isDecided);
  await sleep(QUIET_MS);
}

/** It stays open, and the withdrawal is ended by the payment that was lost. */
async function recoverOnce(opened: Run, path: string): Promise<void> {
  expect(await awaitRecovery(opened)).toEqual([]);
  await openAgain(opened);
  const isEnded = async () =>
    dataOf(path, await call(opened.target, { path }))['status'] === 'WITHDRAWAL_COMPLETED';
  expect(await within(PAID_MS_MAX, isEnded)).toBe(true);
  await sleep(QUIET_MS);
  expect(await timesPaid(opened)).toBe(1);
  expect(await readStatus(opened)).toMatchObject({ status: 'OPEN', findings: 0 });
}

const NUMBER_REASON = /^the channel account \w+ has used an unknown sequence number$/;

it('pays a withdrawal once, when a copy of the disk is put back', async () => {
  postgres = needed(await startRestorable(), 'PostgreSQL');
  const { server } = postgres;
  run = await openRun(server, join(logs.path, 'log'));
  const opened = run;
  const path = `/withdrawals/${await commitWithoutWorker(opened)}`;
  const copied = await readHistory(opened.monitor);
  const setBack = await postgres.save('copy');
  await opened.startWorker();
  expect(await within(PAID_MS_MAX, async () => (await timesPaid(opened)) > 0)).toBe(true);
  // Counted once a second, so the payment can come first.
  const isMarked = async () => Number(await readRestateMark(opened.restate)) > copied.mark;
  expect(await within(PAID_MS_MAX, isMarked)).toBe(true);
  const putBack = async (wiped: boolean) => {
    await opened.killAll(server);
    await setBack();
    await opened.restate.start({ wiped });
    await Promise.all([opened.startApi(), opened.startWorker()]);
    await settle(opened);
    expect(await timesPaid(opened)).toBe(1);
  };

  await putBack(false);
  const behind = expect.stringMatching(/^Restate has mark \d+, the database \d+$/);
  expect(await readStatus(opened)).toMatchObject({ status: 'REWOUND', reason: behind });
  await recoverOnce(opened, path);

  // Without Restate's mark, only the number of the payment shows that something was forgotten.
  await putBack(true);
  const unknown = { status: 'REWOUND', reason: expect.stringMatching(NUMBER_REASON) };
  expect(await readStatus(opened)).toMatchObject(unknown);
  await recoverOnce(opened, path);
}, 240_000);
