//! Tests the health of the components: what it knows, how long it takes, and what depends on it.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { manualClock } from '@holdfast/kernel/clock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWatch } from '../../../../cli/src/testing/machine-time.ts';
import { reachable } from '../../providers/reachable.http.ts';
import { useOpened, useWorld } from '../../testing/use-world.ts';
import { openWorld } from '../../testing/world.ts';
import { watchHealth } from './health.ts';

const PROVIDERS = ['paymentProvider', 'escrowProvider', 'ledgerNetwork'] as const;

describe('the detailed health', () => {
  /** Accepts connections and never replies. */
  let silent: Server;
  let url: string;
  beforeAll(async () => {
    silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const world = useOpened(() =>
    openWorld({
      env: {
        HOLDFAST_PAYMENT_PROVIDER_URL: url,
        HOLDFAST_PAYMENT_PROVIDER_KEY: 'a key',
      },
    }),
  );
  const bare = useWorld();

  const statusesIn = async ({ send }: Pick<typeof world, 'send'>) => {
    const { json } = await send('GET', '/health/detailed');
    const { checks, status } = json.data.data;
    return { status, of: PROVIDERS.map((name) => checks[name]?.status) };
  };

  it('is off for what is not configured', async () => {
    expect(await statusesIn(bare)).toEqual({ status: 'ok', of: ['off', 'off', 'off'] });
  });

  it('is down within two seconds for a provider that does not reply, once for many', async () => {
    let requests = 0;
    silent.on('request', () => {
      requests += 1;
    });
    const ran = await startWatch();
    const found = await Promise.all(Array.from({ length: 20 }, () => statusesIn(world)));
    expect(ran()).toBeLessThan(4000);
    for (const each of found)
      expect(each).toEqual({ status: 'degraded', of: ['down', 'off', 'off'] });
    expect(requests).toBe(1);
  });

  it('takes nothing from liveness and readiness', async () => {
    const ran = await startWatch();
    expect((await world.send('GET', '/health')).status).toBe(200);
    expect(await world.app.health.isReady()).toBe(true);
    expect(ran()).toBeLessThan(1000);
  });
});

it('reuses a result for five seconds', async () => {
  const clock = manualClock(0);
  let probes = 0;
  const probe = async () => {
    probes += 1;
    return true;
  };
  const health = watchHealth('1.0.0', clock, { provider: probe, off: reachable(undefined) });
  for (const [advance, expected] of [
    [0, 1],
    [5000, 1],
    [1, 2],
  ] as const) {
    clock.advance(advance);
    expect((await health.check()).checks).toMatchObject({
      provider: { status: 'ok' },
      off: { status: 'off' },
    });
    expect(probes).toBe(expected);
  }
});
