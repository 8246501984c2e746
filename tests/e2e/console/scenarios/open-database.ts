//! A standby took over and a write is lost: one platform admin requests to open the database, and
//! another one opens it.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { newId } from '@holdfast/kernel/ids';
import pg from 'pg';
import { expectAccessible, ON_DESK, photograph } from '../../../harness/browser/appearances.ts';
import { advanceClock } from '../../../harness/sandbox.ts';
import { within } from '../../../harness/wait.ts';
import type { Environment } from '../environment.ts';
import type { Operator } from '../operator.ts';

const CLOSED_MS_MAX = 10_000;
const RECOVERED_MS_MAX = 15_000;
/** After it, nothing is on its way to the network any more. */
const WAIT_SECONDS = 240;

export async function openDatabase(environment: Environment): Promise<() => Promise<void>> {
  const [petra, paul] = [await environment.at('petra'), await environment.at('paul')];
  const { databaseUrl, ready } = environment.set;
  const { recovery } = environment.clientWith(ready.masterKey);
  // As on another server.
  const owner = new pg.Client(databaseUrl);
  await owner.connect();
  await owner.query(`update lineage set timeline = '000000FF'`);
  await owner.end();
  const isClosed = async () => (await recovery.get()).steps.length > 1;
  assert(await within(CLOSED_MS_MAX, isClosed), 'a worker closes it');
  const at = new Date().toISOString();
  const path = '/api/v1/orders';
  const write = {
    writeId: newId('aud', 0),
    requestId: randomUUID(),
    at,
    method: 'POST',
    path,
    status: 201,
  };
  await recovery.checkWrites({ writes: [{ ...write, actorId: 'key_of_a_shop', amount: '5.00' }] });
  await advanceClock(ready.sandbox ?? '', WAIT_SECONDS);
  const hasEnded = async () =>
    (await recovery.get()).steps.some(
      ({ name, finishedAt }) => name === 'end' && finishedAt !== null,
    );
  assert(await within(RECOVERED_MS_MAX, hasEnded), 'its recovery ends');
  return () => run(environment, petra, paul);
}

async function run(environment: Environment, petra: Operator, paul: Operator): Promise<void> {
  const { pictures, set } = environment;
  await petra.go('/recovery');
  await petra.page.getByText('Confirmed write lost').waitFor();
  await photograph(petra.page, 'recovery-closed', pictures, ON_DESK);
  await expectAccessible(petra.page);
  await petra.act(petra.button('Request to open'), 'Request to open', (form) =>
    petra.fillCode(form),
  );
  await petra.page.getByText('Request recorded').waitFor();
  await petra.expectOff('Open database', 'Another platform admin has to confirm your request');

  await paul.go('/recovery');
  await paul.page.getByText('Petra Platform').first().waitFor();
  await paul.act(paul.button('Open database'), 'Open database', (form) => paul.fillCode(form));
  await paul.page.getByText('Database opened').waitFor();
  const { status } = await environment.clientWith(set.ready.masterKey).recovery.get();
  assert.equal(status, 'OPEN');
}
