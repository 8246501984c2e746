//! The synchronous standby is lost: nothing is acknowledged that the primary alone has.
import { randomUUID } from 'node:crypto';
import { call } from '../../harness/api.ts';
import { within } from '../../harness/wait.ts';
import { credit, entriesAt, isReady, type Run } from './environment.ts';
import { expectBack, expectStatus, type Loss, SEEN_MS_MAX, textOf } from './expectations.ts';

/** Commits wait for a standby that does not receive; then their backend is ended. */
export const loseStandby: Loss = async (run, wrong) => {
  const { primary, standby } = run.replication;
  // A user's first credit opens an account, which would wait in its place.
  await credit(run);
  const thaw = await run.replication.freezeStandby();
  // First: a commit that waits holds the account, and later ones wait for that.
  const cut = await cutWaiting(run, wrong);
  await cutCreation(run, wrong);
  const key = randomUUID();
  const startedAt = performance.now();
  const response = await credit(run, key);
  const ms = Math.round(performance.now() - startedAt);
  const refused = expectStatus(response, 503, wrong);
  if (ms > 20_000) wrong.push(`503 only after ${ms} ms`);
  if (!(await isReady(run))) wrong.push('a process was not ready');
  thaw();
  const back = await expectBack(run, wrong);
  const before = await entriesAt(run, primary.port);
  expectStatus(await credit(run, key), 200, wrong);
  expectStatus(await credit(run, cut), 200, wrong);
  if ((await entriesAt(run, primary.port)) !== before)
    wrong.push('a call that was repeated with its Idempotency-Key was posted twice');
  const isCopied = async () =>
    (await entriesAt(run, standby.port)) === (await entriesAt(run, primary.port));
  if (!(await within(SEEN_MS_MAX, isCopied))) wrong.push('the standby lacks entries');
  return `${refused} after ${ms} ms; ready; ${back}`;
};

/**
 * An administrator ends the backend that waits: the posting is then visible on the primary alone,
 * and must not be acknowledged. Returns its Idempotency-Key.
 */
async function cutWaiting(run: Run, wrong: string[]): Promise<string> {
  const { primary } = run.replication;
  const key = randomUUID();
  const before = await entriesAt(run, primary.port);
  const calling = credit(run, key);
  const isCut = async () => {
    const rows = await primary.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where wait_event = 'SyncRep' and query like '%post_batch%'`);
    return rows.length > 0;
  };
  if (!(await within(SEEN_MS_MAX, isCut))) wrong.push('no posting waited for the standby');
  const isVisible = async () => (await entriesAt(run, primary.port)) > before;
  if (!(await within(SEEN_MS_MAX, isVisible))) wrong.push('the posting was not committed');
  const response = await calling;
  if (response.status !== 503)
    wrong.push(`${textOf(response)} for a posting that the standby does not have`);
  return key;
}

/** The same for a response that is stored under an Idempotency-Key: it must not be given again. */
async function cutCreation(run: Run, wrong: string[]): Promise<void> {
  const key = randomUUID();
  const body = { url: 'http://127.0.0.1:9/webhooks', types: ['topup.reversed'] };
  const create = () => call(run.direct, { path: '/webhook-endpoints', body, key, msMax: 45_000 });
  let isEnded = false;
  const creating = create().finally(() => {
    isEnded = true;
  });
  const isCut = async () => {
    await run.replication.primary.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where wait_event = 'SyncRep' and query = 'commit'`);
    return isEnded;
  };
  if (!(await within(SEEN_MS_MAX, isCut))) wrong.push('no creation waited for the standby');
  for (const response of [await creating, await create()])
    if (response.status !== 503)
      wrong.push(`${textOf(response)} for an endpoint that the standby does not have`);
}
