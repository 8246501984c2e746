//! `npm run bench:console`: how long the routes of the console take for a marketplace with a past,
//! and whether any of their statements reads a whole table.
import type { MarketplaceId } from '@holdfast/kernel/ids';
import pg from 'pg';
import { createApiKey } from '../apps/server/src/access/keys/create-api-key.ts';
import { secretHash } from '../apps/server/src/access/keys/key-text.ts';
import { buildServer } from '../apps/server/src/api/http/server.ts';
import { serveSurfaceA } from '../apps/server/src/api/surface-a/routes.ts';
import { type App, identify, wire } from '../apps/server/src/app/wire.ts';
import { recordInsights } from '../apps/server/src/console/home/record-insights.ts';
import { readConfig } from '../apps/server/src/platform/config/config.ts';
import { openDatabase } from '../tests/harness/database.ts';
import { count, flag, type OptionsOf, text } from '../tests/harness/options.ts';
import { print, tableText } from '../tests/harness/report.ts';
import { writeHistory } from './console/history.ts';
import { percentilesOf } from './harness/figures.ts';
import { type Outcome, runBench } from './harness/verdict.ts';

const options = {
  orders: count('orders of the marketplace', { full: 100_000, quick: 500 }),
  rounds: count('how often each route is called', { full: 30, quick: 2 }),
  database: text('URL', 'one that was seeded before; it is kept', { defaultText: 'a new one' }),
  quick: flag('a short run: every route, on a small marketplace'),
};
type ConsoleOptions = OptionsOf<typeof options>;

interface Sample {
  readonly order: string;
  readonly reference: string;
  readonly hash: string;
  readonly contract: string;
  readonly buyer: string;
  readonly seller: string;
  readonly entry: string;
  readonly operation: string;
}

async function benchConsole(values: ConsoleOptions): Promise<Outcome> {
  if (values.database !== undefined) return bench(values.database, values);
  await using database = await openDatabase('bench');
  return await bench(database.url, values);
}

async function bench(url: string, values: ConsoleOptions): Promise<Outcome> {
  const config = readConfig(
    {
      NODE_ENV: 'development',
      DATABASE_URL: url,
      HOLDFAST_DATABASE_ROLE: 'holdfast_api',
      HOLDFAST_MASTER_KEY_HASH: secretHash('hfm_bench'),
      HOLDFAST_TOKEN_SECRET: 'a secret for a bench that is long enough',
      HOLDFAST_LOG_LEVEL: 'silent',
      HOLDFAST_RATE_LIMIT: 'off',
      HOLDFAST_STATEMENT_TIMEOUT_MS: '120000',
    },
    'api',
  );
  const app = wire(config, 'api');
  const worker = wire({ ...config, HOLDFAST_DATABASE_ROLE: 'holdfast_worker' }, 'worker');
  const http = buildServer({ ...app, identify: (...sent) => identify(app, ...sent) });
  serveSurfaceA(http, app);
  const owner = new pg.Client(url);
  await owner.connect();
  try {
    const master = { kind: 'master', id: 'master' } as const;
    const call = { actor: master, requestId: 'bench', idempotency: undefined };
    const scopes = ['read', 'write', 'support'] as const;
    const { rows } = await owner.query<{ id: MarketplaceId }>(
      'select public_id as id from marketplace order by id limit 1',
    );
    const { key, secret } = await createApiKey(app, call, {
      name: 'bench',
      scopes: [...scopes],
      ...(values.database !== undefined && rows[0] ? { marketplaceId: rows[0].id } : {}),
    });
    if (values.database === undefined) await seed(owner, key.marketplace, values.orders);
    await owner.query('select pg_stat_reset()');
    const startedAt = performance.now();
    await recordInsights(worker);
    print(`record-insights summed ninety days in ${Math.round(performance.now() - startedAt)} ms`);
    await measure(app, http, secret ?? '', pathsOf(await sampleOf(owner)), values.rounds);
    await findWholeReads(owner);
    return { targets: [], faults: [] };
  } finally {
    await http.close();
    await Promise.all([app.close(), worker.close()]);
    await owner.end();
  }
}

async function seed(owner: pg.Client, marketplace: string, orders: number): Promise<void> {
  const startedAt = performance.now();
  await writeHistory(owner, marketplace, orders);
  print(`seeded ${orders} orders in ${Math.round((performance.now() - startedAt) / 1000)} s`);
}

/** One from the middle, so that neither end of an index is measured. */
async function sampleOf(owner: pg.Client): Promise<Sample> {
  const { rows } = await owner.query<Sample>(`
    with chosen as (
      select * from orders where close_reason is not null order by id desc
      offset (select count(*) / 2 from orders where close_reason is not null) limit 1)
    select o.id as order, o.client_order_ref as reference, o.buyer_id as buyer,
      o.seller_id as seller, p.id as operation, e.provider_contract_id as contract,
      (select hash from envelope where marketplace_id = o.marketplace_id
        and purpose = 'release-order:release:' || p.id) as hash,
      (select max(id)::text from entry where subject_id = o.id) as entry
    from chosen o join operation p on p.resource_id = o.id
    join escrow e on e.marketplace_id = o.marketplace_id and e.id = o.escrow_id`);
  if (rows[0] === undefined) throw new Error('no order is closed: use a larger --orders');
  return rows[0];
}

/** Every kind of request that the console sends. */
function pathsOf(s: Sample): string[] {
  const [lately, before] = [dayBefore(15), dayBefore(45)];
  return [
    '/insights/home',
    '/insights/home?days=90',
    `/search?q=${s.order}`,
    `/search?q=${s.order.slice(0, 12)}`,
    `/search?q=${s.hash}`,
    `/search?q=${s.contract}`,
    `/search?q=${s.reference}`,
    '/search?q=person4999@example.com',
    '/search?q=nothing-has-this-name',
    '/orders?limit=100',
    '/orders?limit=100&status=CLOSED',
    '/orders?limit=100&status=DISPUTED',
    '/orders?limit=100&status=ORDER_CREATED',
    `/orders?limit=100&buyerId=${s.buyer}`,
    `/orders?limit=100&sellerId=${s.seller}`,
    `/orders?limit=100&clientOrderRef=${s.reference}`,
    '/orders?limit=100&amountFrom=100.00&amountTo=100.10',
    '/orders?limit=100&amountFrom=10.00',
    `/orders?limit=100&createdBefore=${before}`,
    `/orders?limit=100&cursor=${s.order}`,
    `/orders/${s.order}/detail`,
    '/operations?limit=100',
    '/operations?limit=100&attention=true',
    `/operations?resourceId=${s.order}`,
    '/inbox?limit=100',
    '/inbox?limit=100&status=PARKED',
    '/ledger/chart',
    '/ledger/accounts?limit=100&kind=escrow',
    `/ledger/accounts/user.${s.buyer}.USD?at=${before}`,
    `/ledger/accounts/fee_income.USD?at=${lately}`,
    '/ledger/accounts/fee_income.USD/entries?limit=100',
    `/ledger/accounts/user.${s.buyer}.USD/entries?limit=100`,
    `/ledger/entries?subjectId=${s.order}`,
    `/ledger/entries/${s.entry}`,
    '/users?email=person77@example.com',
    '/request-log?limit=100',
    '/request-log?limit=100&status=4xx',
    '/system',
  ];
}

/** Of one route after the other, so that each has the machine for itself. */
async function measure(
  app: App,
  http: ReturnType<typeof buildServer>,
  key: string,
  paths: readonly string[],
  rounds: number,
): Promise<void> {
  const lines: string[][] = [];
  for (const path of paths) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // The figures are cached for a moment: each round computes them again.
      if (path.startsWith('/insights')) app.home.invalidate();
      const startedAt = performance.now();
      const response = await http.inject({
        method: 'GET',
        url: `/api/v1${path}`,
        headers: { authorization: `Bearer ${key}` },
      });
      times.push(performance.now() - startedAt);
      if (response.statusCode !== 200) throw new Error(`${path}: ${response.body}`);
    }
    const { p50, max } = percentilesOf(times);
    lines.push([path, p50.toFixed(1), max.toFixed(1)]);
  }
  print(`\n${tableText([['route', 'median ms', 'slowest ms'], ...lines])}`);
}

/** As a date: history reaches back from today, whenever that is. */
function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

/** The statistics show which large tables were read from end to end. */
async function findWholeReads(owner: pg.Client): Promise<void> {
  await owner.query('select pg_stat_force_next_flush()');
  const { rows } = await owner.query<{ name: string; seq_scan: string; rows: string }>(`
    select s.relname as name, s.seq_scan, c.reltuples::int as rows
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where c.reltuples > 5000 and s.seq_scan > 0 order by 1`);
  print('Sequential scans of tables above 5,000 rows:');
  if (rows.length === 0) print('  none');
  for (const { name, seq_scan: scans, rows: size } of rows)
    print(`  ${name} (${size} rows): ${scans}`);
}

await runBench({ name: 'npm run bench:console', options }, benchConsole);
