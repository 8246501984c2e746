//! Doctor reports each planted fault and no other, and none on a sound set.
import { Keypair } from '@stellar/stellar-sdk';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startServerProcess } from '../../../apps/cli/src/server-process.ts';
import { startWorld } from '../../../apps/sandbox/src/start-world.ts';
import { serve } from '../../harness/serve.ts';
import { startBufferingProxy } from './buffering-proxy.ts';
import { type Diagnosis, openTarget, type Target } from './target.ts';

const TIMEOUT = { timeout: 120_000 };

let target: Target;
beforeAll(async () => {
  target = await openTarget();
}, 240_000);
afterAll(() => target?.stop(), 60_000);

function expectOnly(diagnosis: Diagnosis, fault: string): void {
  expect(diagnosis).toMatchObject({ faults: [fault], exit: 1 });
}

async function expectSound(): Promise<void> {
  expect(await target.examine()).toMatchObject({ faults: [], skipped: [], exit: 0 });
}

test('doctor checks everything and finds no fault in a sound set', TIMEOUT, expectSound);

describe('doctor, with one fault planted,', () => {
  test('reports an API key of another server', TIMEOUT, async () => {
    const apiKey = `${target.set.ready.apiKey.slice(0, -4)}0000`;
    const diagnosis = await target.examine({ apiKey });
    expectOnly(diagnosis, 'wrong-secret');
    expect(diagnosis.message['secrets']).toMatch(/^the server at \S+ rejects the API key /);
  });

  test('reports a webhook secret that differs from the one of the server', TIMEOUT, async () => {
    const PAYMENT_WEBHOOK_SECRET = `whsec_${Buffer.from('another secret').toString('base64')}`;
    const diagnosis = await target.examine({ settings: { PAYMENT_WEBHOOK_SECRET } });
    expectOnly(diagnosis, 'wrong-secret');
    expect(diagnosis.message['secrets']).toBe(
      "PAYMENT_WEBHOOK_SECRET in this environment differs from the server's",
    );
  });

  test('reports a migration that was not applied', TIMEOUT, async () => {
    const newest = 'select max(name) from schema_migration';
    await target.sql(
      `create table kept as select * from schema_migration where name = (${newest})`,
    );
    await target.sql(`delete from schema_migration where name = (${newest})`);
    onTestFinished(async () => {
      await target.sql('insert into schema_migration select * from kept');
      await target.sql('drop table kept');
    });
    const diagnosis = await target.examine();
    expectOnly(diagnosis, 'migration-pending');
    expect(diagnosis.message['database']).toMatch(/this build requires \d{4}_/);
  });

  test('reports a Redis that is gone', TIMEOUT, async () => {
    await target.redis.kill();
    onTestFinished(() => target.redis.restart());
    expectOnly(await target.examine(), 'redis-down');
  });

  test(
    'reports a Restate that is gone, even if only the server has its address',
    TIMEOUT,
    async () => {
      const { engine } = target.set;
      await engine?.kill('SIGKILL');
      onTestFinished(async () => {
        await engine?.start();
        await engine?.served();
      });
      expectOnly(await target.examine(), 'engine-down');
      const unset = { HOLDFAST_ENGINE_INGRESS_URL: '' };
      await expect
        .poll(async () => (await target.examine({ settings: unset })).faults, { timeout: 60_000 })
        .toEqual(['engine-down']);
    },
  );

  test('reports a Restate that finds no worker', TIMEOUT, async () => {
    const [worker] = target.set.workers;
    await worker?.kill('SIGKILL');
    onTestFinished(async () => void (await target.set.startWorker()));
    const diagnosis = await target.examine();
    expectOnly(diagnosis, 'engine-down');
    expect(diagnosis.message['engine']).toMatch(/^no worker listening at /);
  });

  test('reports an api whose clock is two minutes late', TIMEOUT, async () => {
    const api = await startLateApi();
    onTestFinished(() => api.kill('SIGTERM'));
    const diagnosis = await target.examine({ api: api.url });
    expectOnly(diagnosis, 'clock-skew');
    expect(diagnosis.message['clock']).toMatch(/^the server is 2 min behind/);
  });

  test('reports a platform wallet without a trustline', TIMEOUT, async () => {
    const address = Keypair.random().publicKey();
    await control('/ledger/fund', { address, xlm: '10' });
    await target.sql(
      `insert into house_wallet (id, kind, number, address, sealed_seed, wrapped_key, key_version,
         created_at, trusted_at)
       values ('wal_0000000000000000000000', 'resolver', 99, $1, '', '', 'v1', now(), now())`,
      [address],
    );
    onTestFinished(() => target.sql('delete from house_wallet where number = 99'));
    const diagnosis = await target.examine();
    expectOnly(diagnosis, 'missing-trustline');
    expect(diagnosis.message['trustlines']).toMatch(
      /the resolver wallet G[A-Z2-7]{55} has no USDC trustline/,
    );
  });

  test('reports a proxy that buffers the event stream', TIMEOUT, async () => {
    const proxy = await startBufferingProxy(target.set.ready.api);
    onTestFinished(proxy.close);
    expectOnly(await target.examine({ api: proxy.url }), 'stream-buffered');
  });

  test('reports an escrow provider that does not accept our key', TIMEOUT, async () => {
    const { world, url, stop } = await startWorld();
    onTestFinished(stop);
    world.store.put('settings', 'escrow', { apiKeys: ['another key'] });
    const settings = { HOLDFAST_ESCROW_PROVIDER_URL: `${url}/escrow-provider` };
    const diagnosis = await target.examine({ settings });
    expectOnly(diagnosis, 'provider-401');
    expect(diagnosis.message['providers']).toMatch(
      /^the escrow provider rejects the key: HTTP 401$/,
    );
  });

  test('reports another program at the port', TIMEOUT, async () => {
    const { url, close } = await serve((_, __, response) => response.end('hello'));
    onTestFinished(close);
    const diagnosis = await target.examine({ api: url });
    expectOnly(diagnosis, 'port-taken');
    expect(diagnosis.message['server']).toContain(`(pid ${process.pid})`);
  });

  test('reports row-level security that is not forced', TIMEOUT, async () => {
    await target.sql('alter table orders no force row level security');
    onTestFinished(() => target.sql('alter table orders force row level security'));
    const diagnosis = await target.examine();
    expectOnly(diagnosis, 'rls-off');
    expect(diagnosis.message['isolation']).toMatch(/not forced on orders/);
  });

  test('reports nothing once all faults are removed', TIMEOUT, expectSound);
});

/** An api whose clock is two minutes behind; everything else is correct. */
async function startLateApi() {
  const late = 'const now = Date.now; Date.now = () => now() - 120000;';
  const before = process.env['NODE_OPTIONS'];
  process.env['NODE_OPTIONS'] = `--import=data:text/javascript,${encodeURIComponent(late)}`;
  try {
    const settings = { ...target.set.settings, HOLDFAST_PORT: '0' };
    return await startServerProcess('api', settings, 'ignore');
  } finally {
    if (before === undefined) delete process.env['NODE_OPTIONS'];
    else process.env['NODE_OPTIONS'] = before;
  }
}

async function control(path: string, body: object): Promise<void> {
  const response = await fetch(`${target.set.ready.sandbox}/control${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
}
