//! Tests of what a stop refuses at each level, and whom it does not concern.
import { type Endpoint, isRefusedWhenFrozen, pathParameters } from '@holdfast/contract/endpoint';
import { surfaceA } from '@holdfast/contract/surface-a';
import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { escrowOrderIn } from '../../testing/escrows.ts';
import { ownIds, rightBody } from '../../testing/right-requests.ts';
import { stopCalls } from '../../testing/stops.ts';
import { inputOf, payeeWith, usePayoutWorld, withdrawalIn } from '../../testing/withdrawals.ts';
import type { Market } from '../../testing/world.ts';
import { stopMarketplace } from './stop-marketplace.ts';

const { world } = usePayoutWorld();
const { stop, lift, stopsOf, credit } = stopCalls(world);

const KEY = '0c9f6ad2-93d7-4b7b-8e0c-9d3a3a6a5a01';

interface Prepared {
  readonly endpoint: Endpoint;
  readonly path: string;
  readonly body: unknown;
}

/** A request that is valid now. */
async function prepare(endpoint: Endpoint, owner: Market): Promise<Prepared> {
  const ids = await ownIds(world, endpoint, owner);
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
  return { endpoint, path, body: await rightBody(endpoint, { world, owner, ids }) };
}

const sendPrepared = (owner: Market, { endpoint, path, body }: Prepared) =>
  owner.send(endpoint.method, path, body === undefined ? {} : { body });

/** Money that came in is still credited. */
const entryCount = () => world.rows(`select count(*) from entry where kind <> 'deposit'`);

describe('a stop of payouts', () => {
  it('refuses to create and to commit a withdrawal, and nothing else', async () => {
    const market = await world.market();
    const payee = await payeeWith(world, market);
    const { id } = await withdrawalIn(world, market, 'WITHDRAWAL_CREATED');
    await stop(market, 'PAYOUTS');
    const created = await market.send('POST', '/withdrawals', { body: inputOf(payee) });
    const committed = await market.send('POST', `/withdrawals/${id}/commit`, { body: {} });
    for (const { status, json } of [created, committed])
      expect([status, json.error]).toEqual([
        503,
        expect.objectContaining({ code: 'PAYOUTS_PAUSED', details: { reason: 'a doubt' } }),
      ]);
    expect((await credit(market, payee.userId)).status).toBe(200);
    await lift(market, 'PAYOUTS');
    expect((await market.send('POST', `/withdrawals/${id}/commit`, { body: {} })).status).toBe(200);
  });
});

describe.each(['MONEY', 'SIGNING'] as const)('a stop of the level %s', (level) => {
  it('refuses every call that declares it, and each works again once it is lifted', async () => {
    const market = await world.market();
    const freezable = Object.values<Endpoint>(surfaceA).filter(isRefusedWhenFrozen);
    const prepared = [];
    for (const endpoint of freezable) prepared.push(await prepare(endpoint, market));
    await stop(market, level);
    const entries = await entryCount();
    for (const each of prepared) {
      const { status, json } = await sendPrepared(market, each);
      expect([each.endpoint.id, status, json.error?.code, json.error?.details]).toEqual([
        each.endpoint.id,
        503,
        'MARKETPLACE_FROZEN',
        { reason: 'a doubt' },
      ]);
    }
    expect(await entryCount()).toEqual(entries);
    await lift(market, level);
    for (const each of prepared) {
      const { status, text } = await sendPrepared(market, each);
      expect([each.endpoint.success.status, each.endpoint.success.also], text).toContain(status);
    }
  });

  it('allows reads, users, orders and disputes, and another marketplace', async () => {
    const [market, other] = [await world.market(), await world.market()];
    const goesOn = ['createUser', 'createOrder', 'cancelTopup'] as const;
    const prepared = [];
    for (const id of goesOn) prepared.push(await prepare(surfaceA[id], market));
    const { id: orderId } = await escrowOrderIn(world, market, 'IN_PROGRESS');
    const user = await other.user();
    await stop(market, level);
    const dispute = { orderId, openedBy: 'BUYER', reason: 'OTHER' };
    const path = `/orders/${orderId}/resolution/dispute`;
    expect((await market.send('POST', path, { body: dispute })).status).toBe(201);
    for (const each of prepared) {
      const { status, text } = await sendPrepared(market, each);
      expect(status, text).toBe(each.endpoint.success.status);
    }
    const lists = Object.values<Endpoint>(surfaceA).filter(
      ({ scope, path, success }) =>
        scope === 'read' && success.list && pathParameters(path).length === 0,
    );
    for (const { path: list, id } of lists)
      expect([id, (await market.send('GET', list)).status]).not.toEqual([id, 503]);
    expect((await credit(other, user)).status).toBe(200);
  });
});

describe('an operation that was open when its marketplace was stopped', () => {
  const fundAndStop = async (level: 'MONEY' | 'SIGNING') => {
    const market = await world.market();
    const { id } = await escrowOrderIn(world, market, 'ESCROW_FUNDING');
    await world.sandbox.arm('ledger', 'submit', 'drop-before');
    expect((await market.send('POST', `/orders/${id}/escrow/fund`)).status).toBe(504);
    await world.sandbox.clearFaults();
    await stop(market, level);
    await world.engine.runWorker();
    const state = async () => (await market.send('GET', `/orders/${id}`)).json.data.data.status;
    return { market, state };
  };

  it('continues under a stop of money', async () => {
    const { state } = await fundAndStop('MONEY');
    expect(await state()).toBe('IN_PROGRESS');
  });

  it('waits under a stop of signing, and continues by itself afterwards', async () => {
    const { market, state } = await fundAndStop('SIGNING');
    expect(await state()).toBe('ESCROW_FUNDING');
    await lift(market, 'SIGNING');
    await world.engine.runWorker();
    expect(await state()).toBe('IN_PROGRESS');
  });
});

describe('a stop', () => {
  it('includes the lower levels, and several stand at once', async () => {
    const market = await world.market();
    const payee = await payeeWith(world, market);
    const create = async () =>
      (await market.send('POST', '/withdrawals', { body: inputOf(payee) })).json.error?.code;
    await stop(market, 'PAYOUTS');
    await stop(market, 'SIGNING');
    expect(await create()).toBe('MARKETPLACE_FROZEN');
    const { standing } = await stopsOf(market);
    expect(standing.map(({ level }) => level)).toEqual(['SIGNING', 'PAYOUTS']);
    await lift(market, 'SIGNING');
    expect(await create()).toBe('PAYOUTS_PAUSED');
    await lift(market, 'PAYOUTS');
    expect(await create()).toBeUndefined();
  });

  it('keeps its reason when it is set again, and can be set again after it was lifted', async () => {
    const market = await world.market();
    const first = (await stop(market, 'MONEY')).json.data.data;
    const body = { level: 'MONEY', reason: 'another' };
    const again = await world.send('POST', `/marketplaces/${market.id}/stop`, {
      key: world.masterKey,
      body,
    });
    expect(again.json.data.data).toEqual(first);
    expect((await lift(market, 'MONEY')).json.data.data).toMatchObject({
      liftedBy: 'master',
      liftReason: 'explained',
    });
    expect((await lift(market, 'MONEY')).json.error.code).toBe('INVALID_STATE');
    await stop(market, 'MONEY');
    const { standing, lifted } = await stopsOf(market);
    expect([standing.length, lifted.length]).toEqual([1, 1]);
  });

  it('leaves events and audit entries: set, settled, lifted', async () => {
    const market = await world.market();
    await stop(market, 'MONEY');
    await lift(market, 'MONEY');
    await world.sequence();
    const events = await world.rows(
      `select event_type, aggregate_id, payload->>'level' as level, payload->>'reason' as reason
       from event where marketplace_id = $1 order by position`,
      [market.call.actor.marketplace],
    );
    const about = { aggregate_id: market.id, level: 'MONEY' };
    expect(events).toEqual([
      { event_type: 'marketplace.stopped', ...about, reason: 'a doubt' },
      { event_type: 'marketplace.stop_lifted', ...about, reason: 'explained' },
    ]);
    const audited = await world.rows(
      `select action, actor_id from audit a join audit_link l on l.marketplace_id = a.marketplace_id
         and l.audit_id = a.id
       where a.resource_id = $1 and action <> 'MARKETPLACE_CREATED' order by l.position`,
      [market.id],
    );
    expect(audited).toEqual([
      { action: 'MARKETPLACE_FROZEN', actor_id: 'master' },
      { action: 'MARKETPLACE_STOP_SETTLED', actor_id: 'system' },
      { action: 'MARKETPLACE_UNFROZEN', actor_id: 'master' },
    ]);
  });

  it('sets its own when the one that stood is lifted before it is read', async () => {
    const market = await world.market();
    await stop(market, 'MONEY');
    let isLifted = false;
    const connect = async () => {
      const client = await world.app.pool.connect();
      const racing = async (statement: pg.QueryConfig | string) => {
        const result = await client.query(statement);
        const isInsert = JSON.stringify(statement).includes('insert into marketplace_stop');
        if (isInsert && !isLifted) {
          isLifted = true;
          await lift(market, 'MONEY');
        }
        return result;
      };
      return Object.assign(Object.create(client), { query: racing });
    };
    const query = world.app.pool.query.bind(world.app.pool);
    const pool = Object.assign(Object.create(world.app.pool), { connect, query });
    const call = { ...market.call, actor: { kind: 'master', id: 'master' } as const };
    const input = { level: 'MONEY', reason: 'another doubt' } as const;
    await stopMarketplace({ ...world.app, pool }, call, market.id, input);
    expect((await stopsOf(market)).standing).toMatchObject([{ reason: 'another doubt' }]);
  });

  it('returns the same bytes to a repeated Idempotency-Key', async () => {
    const market = await world.market();
    const first = await stop(market, 'MONEY', { 'idempotency-key': KEY });
    expect(first.json.data.data.settledAt).not.toBeNull();
    await lift(market, 'MONEY');
    const again = await stop(market, 'MONEY', { 'idempotency-key': KEY });
    expect(again.text).toBe(first.text);
    expect((await stopsOf(market)).standing).toEqual([]);
  });

  it('returns what was done before under a key, and stores no refusal', async () => {
    const market = await world.market();
    const user = await market.user();
    const done = { 'idempotency-key': '4ab5e6a8-5f0c-4ce6-b4a4-86b09b6bb001' };
    const late = { 'idempotency-key': '4ab5e6a8-5f0c-4ce6-b4a4-86b09b6bb002' };
    const first = await credit(market, user, done);
    await stop(market, 'MONEY');
    expect((await credit(market, user, done)).text).toBe(first.text);
    const refused = await credit(market, user, late);
    expect(refused.json.error.code).toBe('MARKETPLACE_FROZEN');
    expect(refused.headers['x-idempotency-key']).toBeUndefined();
    await lift(market, 'MONEY');
    expect((await credit(market, user, late)).json.data.data.available).toBe('2.00');
  });

  it('refuses only its own postings of a batch', async () => {
    const [market, other] = [await world.market(), await world.market()];
    const [user, free] = [await market.user(), await other.user()];
    await stop(market, 'MONEY');
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async (_, at) =>
        at % 2 === 0 ? (await credit(market, user)).status : (await credit(other, free)).status,
      ),
    );
    expect(new Set(statuses.filter((_, at) => at % 2 === 0))).toEqual(new Set([503]));
    expect(new Set(statuses.filter((_, at) => at % 2 === 1))).toEqual(new Set([200]));
  });
});
