//! The database is set back to a moment at which a withdrawal was committed and not paid. The
//! journal of the sandbox says how often its payee is paid.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { call } from '../../harness/api.ts';
import { createPerson } from '../../harness/people.ts';
import { rest } from '../../harness/rest.ts';
import { type Restorable, startRestorable } from '../../harness/restorable-postgres.ts';
import { advanceClock } from '../../harness/sandbox.ts';
import { needed } from '../../harness/set.ts';
import { within } from '../../harness/wait.ts';
import { openAgain, openRun, type Run, readPayments, readStatus } from './environment.ts';

const AMOUNT = '20.00';
/** A transaction is valid for two minutes, and a node may be one behind. */
const VALIDITY_SECONDS = 500;
const PAID_MS_MAX = 30_000;
/** For a worker without protection to pay again. */
const QUIET_MS = 4000;

let postgres: Restorable | undefined;
let run: Run | undefined;
afterEach(async () => {
  await run?.stop();
  postgres?.stop();
});

const timesPaid = async (opened: Run) => (await readPayments(opened)).get(AMOUNT) ?? 0;
const statusOf = async (opened: Run) => (await readStatus(opened))?.['status'];

/** The worker is away, so nothing of it is signed. */
async function commitWithoutWorker(opened: Run): Promise<void> {
  const { post, target, payee, monitor } = opened;
  const { id: userId } = await createPerson(post, { credit: '50.00' });
  await rest(monitor);
  const input = { userId, amount: AMOUNT, currency: 'USD' };
  const destination = { type: 'crypto', ref: payee };
  const { id } = await post('/withdrawals', { ...input, destination }, randomUUID());
  await opened.killWorkers();
  await call(target, { path: `/withdrawals/${String(id)}/commit`, method: 'POST', msMax: 2000 });
}

/** As soon as a worker has decided, and long enough for another payment. */
async function settle(opened: Run): Promise<void> {
  const isDecided = async () =>
    (await statusOf(opened)) === 'REWOUND' || (await timesPaid(opened)) > 1;
  await within(PAID_MS_MAX, isDecided);
  await sleep(QUIET_MS);
}

const NUMBER_REASON = /^the channel account \w+ has used an unknown sequence number$/;

it('pays a withdrawal once, when a copy of the disk is put back', async () => {
  postgres = needed(await startRestorable(), 'PostgreSQL');
  const { server } = postgres;
  run = await openRun(server);
  const opened = run;
  await commitWithoutWorker(opened);
  const setBack = await postgres.save('copy');
  await opened.startWorker();
  expect(await within(PAID_MS_MAX, async () => (await timesPaid(opened)) > 0)).toBe(true);
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
  await advanceClock(opened.sandbox, VALIDITY_SECONDS);
  await openAgain(opened);
  await settle(opened);
  expect(await timesPaid(opened)).toBe(1);
  const unknown = { status: 'REWOUND', reason: expect.stringMatching(NUMBER_REASON) };
  expect(await readStatus(opened)).toMatchObject(unknown);

  // Without Restate's mark, only the number of the payment shows that something was forgotten.
  await putBack(true);
  expect(await readStatus(opened)).toMatchObject(unknown);
}, 240_000);
