//! Tests every list of the contract: its pages return each row once, its filters by time find what
//! was created then, and no filter finds a row of another marketplace. wire.test.ts tests ids of
//! another marketplace.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Endpoint, pathParameters } from '@holdfast/contract/endpoint';
import { surfaceA } from '@holdfast/contract/surface-a';
import { instantText, systemClock } from '@holdfast/kernel/clock';
import { newId, type UserId, type WebhookEndpointId } from '@holdfast/kernel/ids';
import type { TObject } from 'typebox';
import { describe, expect, it } from 'vitest';
import { milestonesOf } from '../../testing/escrows.ts';
import { person } from '../../testing/operators.ts';
import { orderIn } from '../../testing/orders.ts';
import { openReconciledWorld } from '../../testing/reconciliation.ts';
import { ownIds } from '../../testing/right-requests.ts';
import { addressOf } from '../../testing/sandbox-world.ts';
import { publishSequenced } from '../../testing/sse.ts';
import { useOpened } from '../../testing/use-world.ts';
import { createEndpoint, openReceiver, runLane } from '../../testing/webhook-receiver.ts';
import type { Market } from '../../testing/world.ts';

const world = useOpened(openReconciledWorld);
const receiver = useOpened(openReceiver);

interface List {
  /** The record in the path of the list. */
  readonly of?: (market: Market) => Promise<string>;
  /** Adds one row at least; absent where the record has its rows from the start. */
  readonly add?: (market: Market, of: string) => Promise<unknown>;
  /** Filters that the list requires. */
  readonly query?: Record<string, string>;
}

/** Adds a record that this endpoint gets. */
const added = (endpoint: Endpoint): List => ({ add: (market) => ownIds(world, endpoint, market) });

const user = (market: Market) => market.user();
const post = (path: (of: string) => string, body: object) => (market: Market, of: string) =>
  market.send('POST', path(of), { body });
const dispute = async (market: Market) =>
  (await orderIn(world, market, 'DISPUTED')).disputeId ?? 'none';

const IDEMPOTENCY_KEY = '5386dfd0-609d-4cd4-bb84-dcfd600fd435';

const LISTS: Readonly<Record<string, List>> = {
  listApiKeys: { add: ({ id }) => world.market({ marketplaceId: id }) },
  listUsers: { add: user },
  listWalletTransactions: {
    of: async (market) => {
      const userId = await market.user();
      await world.runWorker();
      return userId;
    },
    add: async (_, userId) =>
      world.sandbox.deposit(await addressOf(world, userId as UserId), 'USDC', '1'),
  },
  listTopups: added(surfaceA.getTopup),
  listOrders: added(surfaceA.getOrder),
  listMilestones: {
    of: async (market) => {
      const milestones = milestonesOf(3);
      return (await orderIn(world, market, 'ORDER_CREATED', { milestones })).id;
    },
  },
  listDisputes: { add: dispute },
  listWithdrawals: added(surfaceA.getWithdrawal),
  listAuditLogs: { add: user },
  getOrderTimeline: { of: async (market) => (await orderIn(world, market, 'DISPUTED')).id },
  listReconciliationRuns: added(surfaceA.getReconciliationRun),
  listExceptions: added(surfaceA.getException),
  listWebhookEndpoints: added(surfaceA.getWebhookEndpoint),
  listWebhookDeliveries: {
    of: async (market) => (await createEndpoint(market, { url: receiver.url })).id,
    add: async (market, endpointId) => {
      await publishSequenced(world, market, 1);
      await runLane(world, market, endpointId as WebhookEndpointId);
    },
  },
  listOperations: added(surfaceA.getOperation),
  listLedgerAccounts: added(surfaceA.getBalance),
  listLedgerAccountEntries: {
    of: async (market) => `user.${await market.user()}.USD`,
    add: post((id) => `/users/${id.split('.')[1]}/balance/credit`, { amount: '1.00' }),
  },
  listLedgerEntries: added(surfaceA.getBalance),
  listDisputeNotes: { of: dispute, add: post((id) => `/disputes/${id}/notes`, { text: 'seen' }) },
  listDisputeEvidence: {
    of: dispute,
    add: post((id) => `/disputes/${id}/evidence`, { party: 'SELLER', statement: 'whole' }),
  },
  listNotifications: added(surfaceA.getNotification),
  listOperatorNames: { add: ({ id }) => person(world, { marketplaceId: id, role: 'viewer' }) },
  listApprovals: added(surfaceA.getApproval),
  listRequestLog: {
    // Reading the log is logged too.
    query: { route: '/users' },
    add: async (market) => {
      await market.send('GET', '/users');
      await world.app.requests.flush();
    },
  },
  listIdempotencyKeys: {
    query: { key: IDEMPOTENCY_KEY },
    add: async (market) => {
      const path = `/users/${await market.user()}/balance/credit`;
      const headers = { 'idempotency-key': IDEMPOTENCY_KEY };
      await market.send('POST', path, { body: { amount: '1.00' }, headers });
      await world.app.requests.flush();
    },
  },
  listMarketplaces: { add: () => world.market() },
  listFindings: { add: () => world.rows(FINDING, [newId('fnd', systemClock.now()), randomUUID()]) },
  listOperators: { add: ({ id }) => person(world, { marketplaceId: id, role: 'viewer' }) },
};

const FINDING = `insert into recovery_finding (id, lineage, kind, reference, detail, found_at)
  values ($1, 1, 'UNRECORDED_PAYOUT', $2, 'for a test', now())`;

/** Continues from an event's time, and always names it; its own test has these cases. */
const OTHERS = ['listEventLog'];

type Row = Readonly<Record<string, unknown>>;

const rowKey = (row: Row) => row['id'] ?? row['ref'] ?? JSON.stringify(row);

/** A marketplace's list with rows, read by its key. */
async function filled({ id, path, scope }: Endpoint, market: Market, pauseMs = 0) {
  const { of, add, query: required } = LISTS[id] as List;
  const record = (await of?.(market)) ?? '';
  const between: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    await add?.(market, record);
    await sleep(pauseMs);
    between.push(systemClock.now());
    await sleep(pauseMs);
  }
  const url = path.replace(/\{\w+\}/, record);
  const key = isOfMarketplace({ scope }) ? market.key : world.masterKey;
  const read = async (query: Record<string, string> = {}) => {
    const search = new URLSearchParams({ ...required, ...query });
    const { json, text } = await world.send('GET', `${url}?${search}`, { key });
    expect(json.data, text).toBeDefined();
    const { data, hasMore, nextCursor } = json.data;
    return { rows: data as Row[], hasMore: hasMore as boolean, nextCursor: nextCursor as string };
  };
  const { rows } = await read({ limit: '100' });
  return { read, rows, keys: rows.map(rowKey), between };
}

const isOfMarketplace = ({ scope }: Pick<Endpoint, 'scope'>) =>
  scope !== 'master' && scope !== 'platform';
const lists = Object.values<Endpoint>(surfaceA).filter(({ success }) => success.list === true);

it('knows every list of the contract', () => {
  expect([...Object.keys(LISTS), ...OTHERS].sort()).toEqual(lists.map(({ id }) => id).sort());
});

describe.each(
  lists.filter(({ id }) => id in LISTS).map((endpoint) => [endpoint.path, endpoint] as const),
)('GET %s', (_, endpoint) => {
  it('returns each row once, page by page', async () => {
    const { read, keys } = await filled(endpoint, await world.market());
    expect(keys.length).toBeGreaterThanOrEqual(3);
    const seen: unknown[] = [];
    for (let cursor: string | undefined, hasMore = true; hasMore; ) {
      const page = await read({ limit: '2', ...(cursor && { cursor }) });
      seen.push(...page.rows.map(rowKey));
      ({ hasMore, nextCursor: cursor } = page);
      expect(cursor === null, 'the last page has no cursor').toBe(!hasMore);
    }
    expect(seen).toEqual(keys);
    expect(new Set(seen).size).toBe(seen.length);
  });

  if ('createdAfter' in ((endpoint.query as TObject | undefined)?.properties ?? {}))
    it('shows what was created in a period, and nothing else', async () => {
      // The network's time is in whole seconds.
      const pauseMs = endpoint.id === 'listWalletTransactions' ? 1100 : 5;
      const { read, keys, between } = await filled(endpoint, await world.market(), pauseMs);
      const bound = instantText(between[0] as number);
      const within = async (query: Record<string, string>) =>
        (await read({ ...query, limit: '100' })).rows.map(rowKey);
      const [after, before] = [
        await within({ created_after: bound }),
        await within({ created_before: bound }),
      ];
      expect(after.length).toBeGreaterThanOrEqual(2);
      expect(before.length).toBeGreaterThanOrEqual(1);
      expect([...after, ...before]).toEqual(keys);
      const last = instantText(between[1] as number);
      const middle = await within({ created_after: bound, created_before: last });
      expect(middle).toEqual(after.filter((key) => middle.includes(key)));
      expect(middle.length).toBeGreaterThanOrEqual(1);
      expect(middle.length).toBeLessThan(after.length);
    });

  // A list below a record is found by the record's own marketplace only.
  if (pathParameters(endpoint.path).length === 0 && isOfMarketplace(endpoint))
    it('shows nothing of another marketplace, for any filter', async () => {
      const mine = await filled(endpoint, await world.market());
      const theirs = await filled(endpoint, await world.market());
      expect(theirs.rows.length).toBeGreaterThanOrEqual(3);
      expect((await mine.read({ limit: '100' })).rows.map(rowKey)).toEqual(mine.keys);
      for (const filter of filtersFor(endpoint, theirs.rows[0] as Row)) {
        const { rows } = await mine.read({ ...filter, limit: '100' });
        for (const row of rows) expect(mine.keys, JSON.stringify(filter)).toContain(rowKey(row));
      }
    });
});

/** A cursor and every filter that would find this row. */
function filtersFor({ query }: Endpoint, row: Row): Record<string, string>[] {
  const names = Object.keys((query as TObject).properties);
  const found = [...names.map((name) => [name, row[name]]), ['cursor', row['id']]];
  const filters = found.filter(([, value]) => typeof value === 'string');
  if (names.includes('sort')) filters.push(['sort', 'oldest']);
  return filters.map(([name, value]) => ({ [name as string]: value as string }));
}
