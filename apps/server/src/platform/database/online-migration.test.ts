//! Migrations of a toy schema beside other sessions: locks, indexes of partitions, and runners that
//! are killed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { PREFIX } from '../../testing/database/test-database.ts';
import { lockMsFor } from './migration-session.ts';
import { type MigrateOptions, migrate } from './migrator.ts';

const GROUND = `
  create table item (id bigint not null, kind text, primary key (id)) partition by range (id);
  create table item_1 partition of item for values from (0) to (1000);
  create table item_2 partition of item for values from (1000) to (1000000);
  insert into item select n, 'kind ' || n % 7 from generate_series(1, 3000) n;
  create table plain (id bigint primary key, kind text);
  insert into plain select n, 'kind ' || n % 7 from generate_series(1, 3000) n;`;
const INDEX = 'create index concurrently item_kind_idx on item (kind) where kind is not null;';
const INDEXES = ['item_1_kind_idx', 'item_2_kind_idx', 'item_kind_idx'];
/** What a column needs from its first release to the one that relies on it. */
const SET: readonly [name: string, text: string][] = [
  ['0002_column', `alter table plain add column weight bigint not null default 1;`],
  ['0003_index.online', `-- By kind; for lists.\n${INDEX}`],
  ['0004_check', 'alter table plain add constraint plain_kind_check check (id > 0) not valid;'],
  [
    '0005_more.online',
    `alter table plain validate constraint plain_kind_check;
     create unique index concurrently plain_kind_key on plain (kind, id);
     create index concurrently plain_weight_idx on plain (weight);
     drop index concurrently plain_weight_idx;`,
  ],
];

const POLL = { timeout: 30_000 };

let directory: string;
let url: string;
let client: pg.Client;
const lines: Record<string, unknown>[] = [];
const record = (fields: object, message: string) => void lines.push({ ...fields, message });
const log = { info: record, warn: record } as unknown as NonNullable<MigrateOptions['log']>;
const run = (options: MigrateOptions = {}) => migrate(url, { directory, log, ...options });
const write = (name: string, text: string) => writeFileSync(join(directory, `${name}.sql`), text);

async function asAdmin(text: string): Promise<void> {
  const admin = new pg.Client(inject('adminUrl'));
  await admin.connect();
  try {
    await admin.query(text);
  } finally {
    await admin.end();
  }
}

const database = `${PREFIX}online_${process.pid}`;

async function connect(): Promise<pg.Client> {
  const opened = new pg.Client(url);
  opened.on('error', () => undefined);
  await opened.connect();
  return opened;
}

beforeAll(() => {
  url = Object.assign(new URL(inject('adminUrl')), { pathname: `/${database}` }).href;
});
beforeEach(async () => {
  lines.length = 0;
  directory = mkdtempSync(join(tmpdir(), 'holdfast-online-'));
  write('0001_ground', GROUND);
  await asAdmin(`create database ${database}`);
  await run();
  client = await connect();
});
afterEach(async () => {
  rmSync(directory, { recursive: true });
  await client.end();
  await asAdmin(`drop database ${database} with (force)`);
});
afterAll(() => asAdmin(`drop database if exists ${database} with (force)`));

async function validIndexes(): Promise<string[]> {
  const { rows } = await client.query(`select indexrelid::regclass::text as name from pg_index
    where indisvalid and indexrelid::regclass::text ~ '_(idx|key)$' and indrelid >= 16384 order by 1`);
  return rows.map(({ name }) => name).filter((name) => !name.startsWith('pg_'));
}

const sessionName = (opened: pg.Client): unknown =>
  Reflect.get(Reflect.get(opened, 'connectionParameters'), 'application_name');

/** A session that holds a table, as a client that forgot to commit does. */
async function holding(text: string): Promise<pg.Client> {
  const holder = await connect();
  await holder.query(`begin; ${text}`);
  return holder;
}

describe('a migration whose table is locked', () => {
  const column = () => write('0002_column', 'alter table plain add column weight bigint;');

  it('lets traffic pass between its tries, names who is in the way, and is applied then', async () => {
    column();
    const holder = await holding('update plain set kind = null where id = 1');
    const running = run();
    // On a busy machine, a try can end before anything was seen.
    const named = () => lines.find(({ blockers }) => Array.isArray(blockers) && blockers[0]);
    await expect.poll(named, POLL).toMatchObject({
      ...{ message: 'migration delayed', migration: '0002_column', triesMax: 30 },
      cause: expect.stringContaining('lock timeout'),
      blockers: [{ state: 'idle in transaction', query: expect.stringContaining('update plain') }],
    });
    await client.query('update plain set kind = null where id = 2');
    await holder.query('commit');
    await holder.end();
    expect(await running).toEqual(['0002_column']);
  });

  it('fails after its last try, with nothing applied', async () => {
    column();
    const holder = await holding('lock table plain in share mode');
    const failure = async () => String(await run({ triesMax: 1 }).catch((error: Error) => error));
    await expect
      .poll(failure, POLL)
      .toMatch(
        /0002_column failed after 1 tries: .*lock timeout\n {2}blocked by pid \d+ \(.*, idle in/,
      );
    await holder.end();
    expect(await run()).toEqual(['0002_column']);
  });

  it('is not tried again for any other fault', async () => {
    write('0002_column', 'alter table plain add column id bigint;');
    await expect(run()).rejects.toThrow('migration 0002_column failed: column "id"');
    expect(lines.filter(({ message }) => message === 'migration delayed')).toEqual([]);
  });
});

describe('an online migration', () => {
  it('builds an index of each partition, and of those that are created meanwhile', async () => {
    write('0002_index.online', INDEX);
    // An old snapshot lets the build of the first partition wait.
    const holder = await holding('set transaction isolation level repeatable read; table plain');
    const running = run();
    const waits = `select count(*)::int as n from pg_stat_activity where wait_event = 'virtualxid'
      and datname = current_database()`;
    await expect.poll(async () => (await client.query(waits)).rows, POLL).toEqual([{ n: 1 }]);
    await client.query(
      'create table item_3 partition of item for values from (1000000) to (2000000)',
    );
    await holder.end();
    await running;
    expect(await validIndexes()).toEqual([
      ...INDEXES.slice(0, 2),
      'item_3_kind_idx',
      'item_kind_idx',
    ]);
  });

  it('leaves no index behind that could not be built', async () => {
    write('0002_index.online', 'create unique index concurrently plain_key on plain (kind);');
    await expect(run()).rejects.toThrow(/0002_index.online failed: could not create unique/);
    expect((await client.query(`select to_regclass('plain_key') as found`)).rows).toEqual([
      { found: null },
    ]);
  });

  it('replaces the leftover of a try that was killed, but not the index of another table', async () => {
    write('0002_index.online', 'create index concurrently plain_kind_idx on plain (kind);');
    await client.query('create index plain_kind_idx on plain (id)');
    await client.query(
      `update pg_index set indisvalid = false where indexrelid = 'plain_kind_idx'::regclass`,
    );
    await run();
    const { rows } = await client.query(
      `select pg_get_indexdef('plain_kind_idx'::regclass) as text`,
    );
    expect(rows[0].text).toMatch(/\(kind\)$/);
    write('0003_index.online', 'create index concurrently plain_kind_idx on item_1 (kind);');
    await expect(run()).rejects.toThrow('plain_kind_idx is not an index of item_1');
  });

  it('refuses what belongs into a transaction', async () => {
    write('0002_index.online', 'update plain set kind = null;');
    await expect(run()).rejects.toThrow('an online migration creates or drops an index');
  });
});

describe('a runner that is killed', () => {
  const end = () =>
    client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'holdfast migrate' and datname = current_database()`);

  type Query = (this: pg.Client, ...args: unknown[]) => Promise<unknown>;
  const query = Reflect.get(pg.Client.prototype, 'query') as Query;
  afterEach(() => Object.assign(pg.Client.prototype, { query }));

  /** Ends the session at its n-th statement: in turn before that is sent, and while it runs. */
  async function runUntil(n: number): Promise<boolean> {
    let sent = 0;
    async function counted(this: pg.Client, ...args: unknown[]): Promise<unknown> {
      if (sessionName(this) !== 'holdfast migrate') return query.apply(this, args);
      sent += 1;
      if (sent === n && n % 2 === 0) await end();
      const result = query.apply(this, args);
      if (sent === n && n % 2 === 1) await Promise.allSettled([result, end()]);
      return result;
    }
    Object.assign(pg.Client.prototype, { query: counted });
    return run().then(
      () => true,
      () => false,
    );
  }

  it('leaves what the next one completes, at each of its statements', async () => {
    for (const [name, text] of SET) write(name, text);
    let kills = 0;
    while (!(await runUntil(kills + 1))) kills += 1;
    expect(kills).toBeGreaterThan(10);
    expect(await validIndexes()).toEqual([...INDEXES, 'plain_kind_key']);
    const { rows } = await client.query(`select convalidated, (select array_agg(name order by id)
      from schema_migration) as names from pg_constraint where conname = 'plain_kind_check'`);
    const names = ['0001_ground', ...SET.map(([name]) => name)];
    expect(rows).toEqual([{ convalidated: true, names }]);
  });
});

describe('a file with a number below the newest that was applied', () => {
  it('is refused', async () => {
    write('0000_late', 'select 1;');
    await expect(run()).rejects.toThrow('0000_late comes before 0001_ground');
  });
});

describe('a column that is filled for the rows that exist', () => {
  // The recipe of CONTRIBUTING.md: a job of the worker repeats the statement until it changes none.
  it('is filled a thousand rows at a time, and required afterwards', async () => {
    write('0002_column', 'alter table plain add column size bigint;');
    await run();
    const fill = `update plain set size = length(kind) where id in
      (select id from plain where size is null order by id limit 1000 for update skip locked)`;
    const filled: (number | null)[] = [];
    do filled.push((await client.query(fill)).rowCount);
    while (filled.at(-1) !== 0);
    expect(filled).toEqual([1000, 1000, 1000, 0]);
    write('0003_check', 'alter table plain add constraint size_check check (size > 0) not valid;');
    write('0004_check.online', 'alter table plain validate constraint size_check;');
    expect(await run()).toEqual(['0003_check', '0004_check.online']);
  });
});

it.each([
  ['a session', 'holdfast_api', 1000],
  ['an autovacuum, which is ended only then', 'autovacuum worker', 1250],
])('waits for a lock that is held by %s', (_, role, ms) => {
  expect(lockMsFor({ lockMs: 1000, statementMs: 0 }, [{ role }], 1000)).toBe(ms);
});
