import { beforeAll, describe, expect, it } from 'vitest';
import { systemCall } from '../../platform/call.ts';
import { transact } from '../../platform/database/transact.ts';
import { desk, deskOf, person } from '../../testing/operators.ts';
import { useOpened, useWorld } from '../../testing/use-world.ts';
import type { Market } from '../../testing/world.ts';
import { audit } from './audit-entry.ts';
import { listAuditLogs } from './list-audit-logs.ts';

// The address is the one that the proxy in front has seen.
const world = useWorld({ env: { HOLDFAST_TRUSTED_PROXIES: '1' } });

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly [field: string]: unknown;
}

const listed = async (market: Market, query = ''): Promise<Entry[]> =>
  (await market.send('GET', `/audit/logs?limit=100&${query}`)).json.data.data;

const actions = async (market: Market, query = '') =>
  (await listed(market, query)).map(({ action }) => action);

const post = (market: Market, path: string, body: unknown, headers: Record<string, string> = {}) =>
  market.send('POST', path, { body, headers });

async function refundFailed(market: Market): Promise<void> {
  const { marketplace } = market.call.actor;
  await transact(world.app, systemCall(marketplace), (tx) =>
    audit(tx, {
      action: 'REFUND_FAILED',
      resourceId: 'ord_1',
      result: 'FAILURE',
      before: { status: 'REFUND_REQUESTED' },
      after: { status: 'IN_PROGRESS' },
      reason: 'the provider refused',
    }),
  );
}

it('pages newest first, without gap or repeat, while rows are added', async () => {
  const market = await world.market();
  for (let count = 0; count < 7; count += 1) await market.user();
  const whole = (await listed(market)).map(({ id }) => id);
  expect(whole.length).toBeGreaterThanOrEqual(8);
  expect(whole).toEqual([...whole].sort().toReversed());
  const seen: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listAuditLogs(world.app, market.call, {
      limit: '3',
      ...(cursor ? { cursor } : {}),
    });
    seen.push(...page.items.map(({ id }) => id));
    await market.user();
    if (!page.hasMore) break;
    cursor = page.nextCursor ?? undefined;
  }
  expect(seen).toEqual(whole);
});

it("never shows another marketplace's entries, with any filter", async () => {
  const [market, otherMarket] = [await world.market(), await world.market()];
  const user = await otherMarket.user();
  const [theirs] = await listed(otherMarket);
  expect(theirs?.['resourceId']).toBe(user);
  for (const query of ['', `resourceId=${user}`, `actorId=${otherMarket.keyId}`])
    expect(JSON.stringify(await listed(market, query))).not.toContain(user);
  // A cursor is only a position: one of another marketplace gives no access.
  expect(JSON.stringify(await listed(market, `cursor=${theirs?.id}`))).not.toContain(user);
});

it('shows who did what, when, and in which request', async () => {
  const market = await world.market();
  const requestId = '3f2c8f0e-6f0a-4c8a-9a54-0d2f6d1f5a11';
  const sent = { externalUserId: 'ann' };
  const created = await post(market, '/users', sent, {
    'x-request-id': requestId,
    'x-forwarded-for': '203.0.113.7, 2001:db8::7',
    'user-agent': `an "agent", it's \\ mine`,
  });
  const [entry] = await listed(market, 'action=USER_CREATED');
  expect(entry).toEqual({
    id: expect.stringMatching(/^aud_/),
    occurredAt: created.json.data.data.createdAt,
    action: 'USER_CREATED',
    resourceType: 'User',
    resourceId: created.json.data.data.id,
    before: null,
    after: expect.objectContaining({ externalUserId: 'ann' }),
    actorType: 'API_KEY',
    actorId: market.keyId,
    result: 'SUCCESS',
    reason: null,
    correlationId: requestId,
    address: '2001:db8::7',
    userAgent: `an "agent", it's \\ mine`,
  });
});

it('shows a failure with its reason', async () => {
  const market = await world.market();
  await refundFailed(market);
  expect(await listed(market, 'result=FAILURE')).toEqual([
    expect.objectContaining({
      action: 'REFUND_FAILED',
      resourceType: 'Order',
      resourceId: 'ord_1',
      before: { status: 'REFUND_REQUESTED' },
      after: { status: 'IN_PROGRESS' },
      actorType: 'SYSTEM',
      actorId: 'system',
      result: 'FAILURE',
      reason: 'the provider refused',
    }),
  ]);
});

describe('filtering the audit log', () => {
  const market = useOpened(() => world.market());
  let user: string;
  beforeAll(async () => {
    user = await market.user();
    await post(market, `/users/${user}/balance/credit`, { amount: '5.00' });
    await refundFailed(market);
  });

  it.each<[string, (on: string) => string, string[]]>([
    ['action', () => 'action=BALANCE_CREDITED', ['BALANCE_CREDITED']],
    ['resource type', () => 'resource_type=User', ['USER_CREATED']],
    ['resource', (id) => `resourceId=${id}`, ['BALANCE_CREDITED', 'USER_CREATED']],
    ['resource and type', (id) => `resourceId=${id}&resourceType=User`, ['USER_CREATED']],
    ['resource and action', (id) => `resourceId=${id}&action=REFUND_FAILED`, []],
    ['actor', () => 'actor_id=system', ['REFUND_FAILED']],
    ['result', () => 'result=FAILURE', ['REFUND_FAILED']],
    ['a time before all', () => 'createdBefore=2020-01-01', []],
    ['a time after all', () => 'created_after=2200-01-01', []],
  ])('takes a %s', async (_, query, expected) => {
    expect(await actions(market, query(user))).toEqual(expected);
  });

  it('applies to every page', async () => {
    const query = `resourceId=${user}&created_before=2200-01-01&limit=1`;
    const { data } = (await market.send('GET', `/audit/logs?${query}`)).json.data;
    const next = await market.send('GET', `/audit/logs?${query}&cursor=${data[0].id}`);
    expect(next.json.data).toMatchObject({
      data: [{ action: 'USER_CREATED' }],
      hasMore: false,
      nextCursor: null,
    });
  });

  it('splits the time without losing an entry', async () => {
    const [, second, third] = await listed(market);
    const at = String(second?.['occurredAt']);
    const before = await listed(market, `createdBefore=${at}`);
    const after = await listed(market, `createdAfter=${at}`);
    expect([...after, ...before]).toEqual(await listed(market));
    expect(before.map(({ id }) => id)).toContain(third?.id);
  });

  it.each(['action=NOPE', 'result=MAYBE', 'resourceType=Thing', 'cursor=x', 'stray=1', 'limit=0'])(
    'refuses %s',
    async (query) => {
      expect((await market.send('GET', `/audit/logs?${query}`)).status).toBe(400);
    },
  );
});

it('reads a change of a balance from its journal entry, before and after', async () => {
  const market = await world.market();
  const user = await market.user();
  const steps: [string, Record<string, unknown>][] = [
    ['credit', { amount: '100.00', description: 'a gift', reference: 'invoice-1' }],
    ['debit', { amount: '30.00' }],
    ['reserve', { amount: '20.00' }],
    ['release', { amount: '5.00' }],
    ['deduct-reserved', { amount: '10.00' }],
  ];
  const headers = { 'x-forwarded-for': '192.0.2.4', 'user-agent': 'a "shop", (mine)' };
  for (const [path, body] of steps)
    await post(market, `/users/${user}/balance/${path}`, body, headers);
  const audited = (await listed(market, 'resourceType=Balance')).toReversed();
  for (const entry of audited)
    expect(entry).toMatchObject({ address: '192.0.2.4', userAgent: 'a "shop", (mine)' });
  const state = (available: string, reserved: string) => ({ available, reserved });
  expect(audited.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
    {
      action: 'BALANCE_CREDITED',
      before: state('0.00', '0.00'),
      after: {
        ...state('100.00', '0.00'),
        amount: '100.00',
        currency: 'USD',
        reference: 'invoice-1',
      },
    },
    {
      action: 'BALANCE_DEBITED',
      before: state('100.00', '0.00'),
      after: { ...state('70.00', '0.00'), amount: '30.00', currency: 'USD' },
    },
    {
      action: 'BALANCE_RESERVED',
      before: state('70.00', '0.00'),
      after: { ...state('50.00', '20.00'), amount: '20.00', currency: 'USD' },
    },
    {
      action: 'BALANCE_UNRESERVED',
      before: state('50.00', '20.00'),
      after: { ...state('55.00', '15.00'), amount: '5.00', currency: 'USD' },
    },
    {
      action: 'RESERVED_SPENT',
      before: state('55.00', '15.00'),
      after: { ...state('55.00', '5.00'), amount: '10.00', currency: 'USD' },
    },
  ]);
  expect(audited[0]?.['reason']).toBe('a gift');
});

describe('the audit entries outside all marketplaces', () => {
  /** An operator with several audit entries. */
  async function audited() {
    const who = await person(world);
    await deskOf(world, who);
    const key = world.masterKey;
    const body = { status: 'DISABLED' };
    await world.send('PUT', `/operators/${who.id}/status`, { key, body });
    await world.send('POST', `/operators/${who.id}/reset`, { key });
    return who;
  }
  const ACTIONS = ['OPERATOR_RESET', 'OPERATOR_STATUS_SET', 'OPERATOR_SIGNED_IN'];

  it('are shown to the master key and to platform admins, with people masked', async () => {
    const { id, email } = await audited();
    const platform = await desk(world, { isPlatformAdmin: true });
    const path = `/audit/logs?resourceId=${id}`;
    for (const response of [
      await platform.send('GET', path),
      await world.send('GET', path, { key: world.masterKey }),
    ]) {
      const entries: Entry[] = response.json.data.data;
      expect(entries.map(({ action }) => action)).toEqual(ACTIONS);
    }
    expect((await platform.send('GET', path)).text).not.toContain(email);
  });

  it('are listed without entries of a marketplace', async () => {
    const market = await world.market();
    const user = await market.user();
    const platform = await desk(world, { isPlatformAdmin: true });
    const { json, text } = await platform.send('GET', '/audit/logs?limit=100');
    const entries: Entry[] = json.data.data;
    expect(entries.map(({ action }) => action)).toContain('OPERATOR_SIGNED_IN');
    expect(text).not.toContain(user);
    const about = await platform.send('GET', `/audit/logs?resourceId=${user}`);
    expect(about.json.data.data).toEqual([]);
  });

  it('are shown to no other caller', async () => {
    const { id } = await audited();
    const market = await world.market();
    const admin = await desk(world, { role: 'admin', marketplaceId: market.id });
    const path = `/audit/logs?resourceId=${id}`;
    for (const response of [await market.send('GET', path), await admin.send('GET', path)])
      expect(response.json.data.data).toEqual([]);
    const platform = await desk(world, { isPlatformAdmin: true });
    const nowhere = await desk(world);
    const codes = [
      await nowhere.send('GET', path),
      await platform.send('GET', path, { headers: { 'x-holdfast-marketplace': market.id } }),
    ].map(({ status, json }) => [status, json.error.code]);
    expect(codes).toEqual([
      [403, 'OPERATOR_ROLE_REQUIRED'],
      [404, 'MARKETPLACE_NOT_FOUND'],
    ]);
  });
});

it('cannot be written to', async () => {
  const market = await world.market();
  const [entry] = await listed(market);
  for (const method of ['DELETE', 'PUT', 'PATCH', 'POST'])
    for (const path of ['/audit/logs', `/audit/logs/${entry?.id}`])
      expect([404, 405]).toContain((await market.send(method, path, { body: {} })).status);
});
