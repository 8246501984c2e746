import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../testing/refusal.ts';
import { useWorld } from '../../testing/use-world.ts';
import { type Market, openWorld } from '../../testing/world.ts';
import { creditBalance } from './credit-balance.ts';
import { debitBalance } from './debit-balance.ts';
import { getBalance } from './get-balance.ts';

const world = useWorld({
  env: { HOLDFAST_POSTING_CONNECTIONS: '3', HOLDFAST_POSTING_BATCH_MAX: '16' },
});

const keyed = (market: Market, user: string, body: unknown, key: string) =>
  market.send('POST', `/users/${user}/balance/credit`, {
    body,
    headers: { 'idempotency-key': key },
  });

describe('many requests in one commit', () => {
  it('get their own outcomes: a refusal fails no other request of the batch', async () => {
    const market = await world.market();
    const [rich, poor] = [await market.user(), await market.user()];
    await creditBalance(world.app, market.call, rich, { amount: '1000.00' });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, at) =>
        debitBalance(world.app, market.call, at % 2 ? rich : poor, { amount: '1.00' }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(30);
    expect(await getBalance(world.app, market.call, rich)).toMatchObject({ available: 97_000n });
  });

  it('share commits: far fewer transactions than requests', async () => {
    const market = await world.market();
    const user = await market.user();
    await Promise.all(
      Array.from({ length: 160 }, () =>
        creditBalance(world.app, market.call, user, { amount: '0.01' }),
      ),
    );
    const [row] = await world.rows<{ commits: string }>(
      `select count(distinct e.xmin::text) as commits from entry e
      join account a on a.id = e.to_account where a.owner_id = $1`,
      [user],
    );
    expect(Number(row?.commits)).toBeLessThan(40);
  });

  it('of two marketplaces in one batch stay apart', async () => {
    const markets = [await world.market(), await world.market()];
    const users = await Promise.all(markets.map((market) => market.user()));
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        creditBalance(
          world.app,
          (markets[at % 2] as Market).call,
          users[at % 2] as `usr_${string}`,
          { amount: '1.00' },
        ),
      ),
    );
    const rows = await world.rows(
      `select count(distinct a.marketplace_id) as markets, bool_and(a.marketplace_id = e.marketplace_id
      and o.marketplace_id = e.marketplace_id) as apart from entry e join account a on a.id = e.to_account
      join outbox o on o.entry_id = e.id where a.owner_id = any ($1)`,
      [users],
    );
    expect(rows).toEqual([{ markets: '2', apart: true }]);
  });
});

describe('an account that another session has locked', () => {
  it('keeps its own request waiting and fails no other', async () => {
    const busy = await openWorld({ env: { HOLDFAST_LOCK_TIMEOUT_MS: '300' } });
    const market = await busy.market();
    const users = [
      await market.user(),
      await market.user(),
      await market.user(),
      await market.user(),
    ];
    for (const user of users) await creditBalance(busy.app, market.call, user, { amount: '1.00' });
    const holder = new pg.Client(busy.databaseUrl);
    await holder.connect();
    await holder.query('begin');
    await holder.query('select 1 from account where owner_id = $1 for update', [users[0]]);
    const outcomes = await Promise.allSettled(
      users.map((user) => creditBalance(busy.app, market.call, user, { amount: '1.00' })),
    );
    await holder.query('rollback');
    await holder.end();
    expect(outcomes.map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
    expect((outcomes[0] as PromiseRejectedResult).reason).toSatisfy(
      isRefusal('SERVICE_UNAVAILABLE'),
    );
    await busy.close();
  });
});

describe('a lost connection', () => {
  // Backends die in the middle of batches. Callers see only a pause, and every cent is there.
  it('loses nothing and doubles nothing, with and without keys', async () => {
    const market = await world.market();
    const user = await market.user();
    let isOver = false;
    const killer = (async () => {
      for (let kills = 0; kills < 12 && !isOver; kills += 1) {
        await world.rows(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and query like '%post_batch%' and pid <> pg_backend_pid()`);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    })();
    for (let round = 0; round < 12; round += 1) {
      const responses = await Promise.all(
        Array.from({ length: 50 }, (_, at) =>
          at % 2
            ? keyed(market, user, { amount: '0.01' }, randomUUID())
            : market.send('POST', `/users/${user}/balance/credit`, { body: { amount: '0.01' } }),
        ),
      );
      expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200));
    }
    isOver = true;
    await killer;
    expect(await getBalance(world.app, market.call, user)).toMatchObject({ available: 600n });
  });
});

describe('an Idempotency-Key', () => {
  it('replays the first response byte for byte', async () => {
    const market = await world.market();
    const user = await market.user();
    const key = randomUUID();
    const first = await keyed(market, user, { amount: '5.00' }, key);
    await creditBalance(world.app, market.call, user, { amount: '1.00' });
    const again = await keyed(market, user, { amount: '5.00' }, key);
    expect(again.text).toBe(first.text);
    expect(again.headers).toMatchObject({
      'idempotency-replay': 'true',
      'x-idempotency-key': key,
      'x-request-id': first.headers['x-request-id'],
    });
    expect(await getBalance(world.app, market.call, user)).toMatchObject({ available: 600n });
  });

  it('replays a refusal too, even when it would now succeed', async () => {
    const market = await world.market();
    const user = await market.user();
    const send = (key: string) =>
      market.send('POST', `/users/${user}/balance/debit`, {
        body: { amount: '5.00' },
        headers: { 'idempotency-key': key },
      });
    const key = randomUUID();
    const first = await send(key);
    expect(first.status).toBe(422);
    await creditBalance(world.app, market.call, user, { amount: '100.00' });
    const again = await send(key);
    expect([again.status, again.text, again.headers['idempotency-replay']]).toEqual([
      422,
      first.text,
      'true',
    ]);
    for (const { headers } of [first, again]) expect(headers['x-idempotency-key']).toBe(key);
    expect((await send(randomUUID())).status).toBe(200);
  });

  it('is IDEMPOTENCY_KEY_REUSED with another body', async () => {
    const market = await world.market();
    const user = await market.user();
    const key = randomUUID();
    await keyed(market, user, { amount: '5.00' }, key);
    const response = await keyed(market, user, { amount: '6.00' }, key);
    expect([response.status, response.json.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('moves money once in twenty requests at once; the others wait or fail', async () => {
    const market = await world.market();
    const user = await market.user();
    const key = randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => keyed(market, user, { amount: '5.00' }, key)),
    );
    expect(
      responses.filter((a) => a.status === 200 && a.headers['idempotency-replay'] === undefined),
    ).toHaveLength(1);
    expect(await getBalance(world.app, market.call, user)).toMatchObject({ available: 500n });
  });

  // The twin comes through another process, so only PostgreSQL can detect it.
  it('is one across processes', async () => {
    const other = await openTwin();
    const market = await world.market();
    const user = await market.user();
    for (let round = 0; round < 10; round += 1) {
      const key = randomUUID();
      const body = { amount: '1.00' };
      const responses = await Promise.all(
        [world, other, world, other].map((each) =>
          each.send('POST', `/users/${user}/balance/credit`, {
            key: market.key,
            body,
            headers: { 'idempotency-key': key },
          }),
        ),
      );
      expect(
        responses.filter((a) => a.status === 200 && a.headers['idempotency-replay'] === undefined),
      ).toHaveLength(1);
    }
    expect(await getBalance(world.app, market.call, user)).toMatchObject({ available: 1000n });
    await other.close();
  });
});

describe('limits', () => {
  it('stop a marketplace at its adjustment limit, also in parallel, and debits make room', async () => {
    const market = await world.market();
    const user = await market.user();
    const set = await world.send('PUT', `/marketplaces/${market.id}/adjustment-limit`, {
      key: world.masterKey,
      body: { currency: 'USD', limit: '10.00' },
    });
    expect(set.json.data.data.adjustmentLimit).toEqual({ USD: '10.00' });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, () =>
        creditBalance(world.app, market.call, user, { amount: '1.00' }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    await expect(creditBalance(world.app, market.call, user, { amount: '0.01' })).rejects.toSatisfy(
      isRefusal('ADJUSTMENT_LIMIT'),
    );
    await debitBalance(world.app, market.call, user, { amount: '4.00' });
    await creditBalance(world.app, market.call, user, { amount: '4.00' });
  });

  it('refuse at once when too many postings wait', async () => {
    const small = await openWorld({ env: { HOLDFAST_POSTING_QUEUE_MAX: '5' } });
    const market = await small.market();
    const user = await market.user();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        creditBalance(small.app, market.call, user, { amount: '1.00' }),
      ),
    );
    const refused = outcomes.filter(
      (o) => o.status === 'rejected' && isRefusal('SERVICE_UNAVAILABLE')(o.reason),
    );
    expect(refused.length).toBeGreaterThan(0);
    expect(await getBalance(small.app, market.call, user)).toMatchObject({
      available: BigInt(20 - refused.length) * 100n,
    });
    await small.close();
  });
});

/** A second api process on the same database. */
async function openTwin() {
  const { wire } = await import('../../app/wire.ts');
  const { buildServer } = await import('../../api/http/server.ts');
  const { serveSurfaceA } = await import('../../api/surface-a/routes.ts');
  const app = wire(world.app.config, 'api');
  const http = buildServer({ ...app, identify: (...sent) => app.authenticator.identify(...sent) });
  serveSurfaceA(http, app);
  await http.ready();
  return {
    send: async (
      method: string,
      path: string,
      { key, body, headers }: { key: string; body: unknown; headers: Record<string, string> },
    ) => {
      const response = await http.inject({
        method: method as 'POST',
        url: `/api/v1${path}`,
        payload: JSON.stringify(body),
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      });
      return { status: response.statusCode, headers: response.headers };
    },
    close: async () => {
      await http.close();
      await app.close();
    },
  };
}
