//! Doctor names each of ten planted faults, and only that; nothing on a sound set.
import { Keypair } from '@stellar/stellar-sdk';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startServerProcess } from '../../apps/cli/src/server-process.ts';
import { startWorld } from '../../apps/sandbox/src/start-world.ts';
import { serve } from '../harness/serve.ts';
import { startBufferingProxy } from './buffering-proxy.ts';
import { admitPatient, type Diagnosis, type Patient } from './patient.ts';

const TIMEOUT = { timeout: 120_000 };

let patient: Patient;
beforeAll(async () => {
  patient = await admitPatient();
}, 240_000);
afterAll(() => patient?.stop(), 60_000);

function expectOnly(diagnosis: Diagnosis, fault: string): void {
  expect(diagnosis).toMatchObject({ faults: [fault], exit: 1 });
}

async function expectSound(): Promise<void> {
  expect(await patient.examine()).toMatchObject({ faults: [], skipped: [], exit: 0 });
}

test('a sound set: everything is looked at, and nothing is wrong', TIMEOUT, expectSound);

describe('each fault is named, and nothing else', () => {
  test('an API key of another server', TIMEOUT, async () => {
    const apiKey = `${patient.set.ready.apiKey.slice(0, -4)}0000`;
    const diagnosis = await patient.examine({ apiKey });
    expectOnly(diagnosis, 'wrong-secret');
    expect(diagnosis.says['secrets']).toMatch(/does not know the API key/);
  });

  test('a webhook secret that is not what the server verifies with', TIMEOUT, async () => {
    const PAYMENT_WEBHOOK_SECRET = `whsec_${Buffer.from('another secret').toString('base64')}`;
    const diagnosis = await patient.examine({ settings: { PAYMENT_WEBHOOK_SECRET } });
    expectOnly(diagnosis, 'wrong-secret');
    expect(diagnosis.says['secrets']).toMatch(/PAYMENT_WEBHOOK_SECRET/);
  });

  test('a migration that was not applied', TIMEOUT, async () => {
    const newest = 'select max(name) from schema_migration';
    await patient.sql(
      `create table kept as select * from schema_migration where name = (${newest})`,
    );
    await patient.sql(`delete from schema_migration where name = (${newest})`);
    onTestFinished(async () => {
      await patient.sql('insert into schema_migration select * from kept');
      await patient.sql('drop table kept');
    });
    const diagnosis = await patient.examine();
    expectOnly(diagnosis, 'migration-pending');
    expect(diagnosis.says['database']).toMatch(/this build needs \d{4}_/);
  });

  test('a Redis that is gone', TIMEOUT, async () => {
    await patient.redis.kill();
    onTestFinished(() => patient.redis.restart());
    expectOnly(await patient.examine(), 'redis-down');
  });

  test('a Restate that is gone, also where only the server knows of it', TIMEOUT, async () => {
    const { engine } = patient.set;
    await engine?.kill('SIGKILL');
    onTestFinished(async () => {
      await engine?.start();
      await engine?.served();
    });
    expectOnly(await patient.examine(), 'engine-down');
    const unset = { HOLDFAST_ENGINE_INGRESS_URL: '' };
    await expect
      .poll(async () => (await patient.examine({ settings: unset })).faults, { timeout: 60_000 })
      .toEqual(['engine-down']);
  });

  test('a Restate that finds no worker', TIMEOUT, async () => {
    const [worker] = patient.set.workers;
    await worker?.kill('SIGKILL');
    onTestFinished(async () => void (await patient.set.startWorker()));
    const diagnosis = await patient.examine();
    expectOnly(diagnosis, 'engine-down');
    expect(diagnosis.says['engine']).toMatch(/^no worker listens/);
  });

  test('an api whose clock is two minutes late', TIMEOUT, async () => {
    const api = await startLateApi();
    onTestFinished(() => api.kill('SIGTERM'));
    const diagnosis = await patient.examine({ api: api.url });
    expectOnly(diagnosis, 'clock-skew');
    expect(diagnosis.says['clock']).toMatch(/^the server is 2 min behind/);
  });

  test('a wallet of the house without a trustline', TIMEOUT, async () => {
    const address = Keypair.random().publicKey();
    await control('/ledger/fund', { address, xlm: '10' });
    await patient.sql(
      `insert into house_wallet (id, kind, number, address, sealed_seed, wrapped_key, key_version,
         created_at, trusted_at)
       values ('wal_0000000000000000000000', 'resolver', 99, $1, '', '', 'v1', now(), now())`,
      [address],
    );
    onTestFinished(() => patient.sql('delete from house_wallet where number = 99'));
    const diagnosis = await patient.examine();
    expectOnly(diagnosis, 'missing-trustline');
    expect(diagnosis.says['trustlines']).toMatch(/the resolver .* has no trustline for USDC/);
  });

  test('a proxy that collects the event stream', TIMEOUT, async () => {
    const proxy = await startBufferingProxy(patient.set.ready.api);
    onTestFinished(proxy.close);
    expectOnly(await patient.examine({ api: proxy.url }), 'stream-buffered');
  });

  test('an escrow provider that does not accept our key', TIMEOUT, async () => {
    const { world, url, stop } = await startWorld();
    onTestFinished(stop);
    world.store.put('settings', 'escrow', { apiKeys: ['another key'] });
    const settings = { HOLDFAST_ESCROW_PROVIDER_URL: `${url}/escrow-provider` };
    const diagnosis = await patient.examine({ settings });
    expectOnly(diagnosis, 'provider-401');
    expect(diagnosis.says['providers']).toMatch(/^the escrow provider .* 401/);
  });

  test('another program at the port', TIMEOUT, async () => {
    const { url, close } = await serve((_, __, response) => response.end('hello'));
    onTestFinished(close);
    const diagnosis = await patient.examine({ api: url });
    expectOnly(diagnosis, 'port-taken');
    expect(diagnosis.says['server']).toContain(`(pid ${process.pid})`);
  });

  test('row-level security that is not forced', TIMEOUT, async () => {
    await patient.sql('alter table orders no force row level security');
    onTestFinished(() => patient.sql('alter table orders force row level security'));
    const diagnosis = await patient.examine();
    expectOnly(diagnosis, 'rls-off');
    expect(diagnosis.says['isolation']).toMatch(/not forced on orders/);
  });

  test('and when each is cured, nothing is wrong again', TIMEOUT, expectSound);
});

/** Its machine's clock stands two minutes behind; everything else is as it should be. */
async function startLateApi() {
  const late = 'const now = Date.now; Date.now = () => now() - 120000;';
  const before = process.env['NODE_OPTIONS'];
  process.env['NODE_OPTIONS'] = `--import=data:text/javascript,${encodeURIComponent(late)}`;
  try {
    const settings = { ...patient.set.settings, HOLDFAST_PORT: '0' };
    return await startServerProcess('api', settings, 'ignore');
  } finally {
    if (before === undefined) delete process.env['NODE_OPTIONS'];
    else process.env['NODE_OPTIONS'] = before;
  }
}

async function control(path: string, body: object): Promise<void> {
  const answer = await fetch(`${patient.set.ready.sandbox}/control${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
}
