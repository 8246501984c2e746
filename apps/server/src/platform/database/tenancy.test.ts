//! Tests of row-level security, the third layer: it holds even when a query omits its marketplace.
import { idFloor } from '@holdfast/kernel/ids';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { useWorld } from '../../testing/use-world.ts';

const world = useWorld();

const LOGIN_OF = { app: 'holdfast_api', worker: 'holdfast_worker' } as const;

/** As one of the two logins, which inherit nothing. */
const asLogin = async (
  process: 'app' | 'worker',
  marketplace: string | null,
  text: string,
): Promise<unknown[]> => {
  const client = await world[process].pool.connect();
  try {
    await client.query('begin');
    if (marketplace !== null)
      await client.query(`select set_config('app.marketplace_id', $1, true)`, [marketplace]);
    return (await client.query(text)).rows;
  } finally {
    await client.query('rollback');
    client.release();
  }
};

describe('each tenant table', () => {
  it('has row-level security enabled and forced, partitions too', async () => {
    const rows =
      await world.rows(`select c.relname, c.relrowsecurity and c.relforcerowsecurity as is_guarded,
        exists (select from pg_policy p where p.polrelid = c.oid) or c.relispartition as has_policy
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'marketplace_id'
      where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`);
    expect(rows.length).toBeGreaterThanOrEqual(12);
    expect(rows.filter((row) => !row['is_guarded'] || !row['has_policy'])).toEqual([]);
  });

  it('is led by its marketplace in every unique key', async () => {
    const rows = await world.rows<{
      name: string;
    }>(`select i.indexrelid::regclass::text as name from pg_index i
      join pg_class c on c.oid = i.indrelid and c.relnamespace = 'public'::regnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'marketplace_id'
      where i.indisunique and i.indkey[0] <> a.attnum`);
    // Each has its reason in the migration that creates it.
    expect(rows.map(({ name }) => name).sort()).toEqual([
      'account_pkey',
      'api_key_hash_key',
      'contract_pkey',
      'deposit_pkey',
      'envelope_hash_key',
      'inbox_id_key',
      'inbox_pkey',
      'outbox_pkey',
      'payin_reference_pkey',
      'wallet_address_key',
    ]);
  });

  it('admits by name only the roles that are meant to write it', async () => {
    const rows = await world.rows<{ roles: string }>(
      `select distinct unnest(polroles)::regrole::text as roles from pg_policy`,
    );
    expect(rows.map(({ roles }) => roles).sort()).toEqual([
      'holdfast_api',
      'holdfast_auditor',
      'holdfast_books',
      'holdfast_custody',
      'holdfast_operator',
      'holdfast_sequencer',
      'holdfast_worker',
    ]);
  });

  // `grants.test.ts` compares who may do what with a table; this one, which rows.
  it('shows a login no row by a policy that compares nothing', async () => {
    const rows = await world.rows(`select polrelid::regclass::text as name from pg_policy
      where polroles && array['holdfast_api', 'holdfast_worker', '-']::regrole[]::oid[]
        and coalesce(pg_get_expr(polqual, polrelid), 'true') = 'true'
        and exists (select from pg_attribute a where a.attrelid = polrelid
          and a.attname = 'marketplace_id')`);
    expect(rows).toEqual([]);
  });
});

describe.each(['app', 'worker'] as const)('the login of the %s', (process) => {
  it('connects under its own name', async () => {
    const [row] = await asLogin(process, null, 'select current_user as name');
    expect(row).toEqual({ name: LOGIN_OF[process] });
  });

  it('sees no row of any tenant table without naming a marketplace', async () => {
    const market = await world.market();
    await market.user();
    const tables = await world.rows<{ name: string }>(
      `select c.relname as name from pg_class c
         join pg_attribute a on a.attrelid = c.oid and a.attname = 'marketplace_id'
       where c.relkind in ('r', 'p') and not c.relispartition
         and c.relnamespace = 'public'::regnamespace
         and has_any_column_privilege($1, c.oid, 'select')`,
      [LOGIN_OF[process]],
    );
    expect(tables.length).toBeGreaterThan(25);
    const seen: string[] = [];
    for (const { name: table } of tables)
      await asLogin(process, null, `select marketplace_id from ${table}`).then(
        (rows) => rows.length > 0 && seen.push(table),
        (error: Error) => expect(error.message).toMatch(/app.marketplace_id|bigint/),
      );
    expect(seen).toEqual([]);
  });

  it('takes on only the role that is meant for it', async () => {
    const roles = ['operator', 'sequencer', 'books', 'custody', 'auditor'];
    const taken: string[] = [];
    for (const role of roles)
      await asLogin(
        process,
        null,
        `set local session authorization ${LOGIN_OF[process]};
        set local role holdfast_${role}`,
      ).then(
        () => taken.push(role),
        (error: Error) => expect(error.message).toMatch(/permission denied to set role/),
      );
    expect(taken).toEqual([process === 'app' ? 'operator' : 'sequencer']);
  });

  it('sees only the marketplace of its transaction, and an error without one', async () => {
    const [one, other] = [await world.market(), await world.market()];
    await one.user();
    const theirs = await other.user();
    const rows = await asLogin(process, other.call.actor.marketplace, 'select id from users');
    expect(rows).toEqual([{ id: theirs }]);
    await expect(asLogin(process, null, 'select id from users')).rejects.toThrow(
      /app.marketplace_id|bigint/,
    );
  });

  it('cannot write a row of another marketplace', async () => {
    const [one, other] = [await world.market(), await world.market()];
    const insert = `insert into outbox (marketplace_id, event_type, aggregate_id, payload, actor_id, correlation_id)
      values (${other.call.actor.marketplace}, 'user.created', 'x', '{}', 'x', 'x')`;
    await expect(asLogin(process, one.call.actor.marketplace, insert)).rejects.toThrow(
      /row-level security/,
    );
  });

  // The setting is local to its transaction: a pooled connection carries nothing over.
  it('never sees the marketplace of an earlier request on its connection', async () => {
    const markets = await Promise.all(Array.from({ length: 6 }, () => world.market()));
    const users = await Promise.all(markets.map((market) => market.user()));
    const results = await Promise.all(
      Array.from({ length: 300 }, async (_, at) => {
        const market = markets[at % 6] as (typeof markets)[number];
        const listed = await market.send('GET', '/users');
        return (
          listed.json.data.data.map((user: { id: string }) => user.id).join() === users[at % 6]
        );
      }),
    );
    expect(results.every(Boolean)).toBe(true);
    await expect(asLogin(process, null, 'select id from users')).rejects.toThrow();
  });
});

describe('posting an entry', () => {
  const move = (marketplace: string, from: string | undefined, to: string | undefined) =>
    world.rows(
      `select books.post_entry(now(), $1, 'credit', $2, 'available', $3, 'available', 1, 'x', 'x', 'x',
        null, null)`,
      [marketplace, from, to],
    );

  // Each caller checks this in its own way; this constraint stands behind all of them.
  it('stays within one marketplace and one currency, for every caller', async () => {
    const [one, other] = [await world.market(), await world.market()];
    const [ours, theirs] = [one.call.actor.marketplace, other.call.actor.marketplace];
    const open = async (marketplace: string, currency: string) => {
      const [row] = await world.rows<{ id: string }>(
        `select books.open_account($1, 'suspense', '', $2, now()) as id`,
        [marketplace, currency],
      );
      return row?.id;
    };
    const [from, xlm, foreign] = [
      await open(ours, 'USD'),
      await open(ours, 'XLM'),
      await open(theirs, 'USD'),
    ];
    const refused = 'an entry stays within one marketplace and one currency';
    await expect(move(ours, from, foreign)).rejects.toThrow(refused);
    await expect(move(ours, foreign, from)).rejects.toThrow(refused);
    await expect(move(theirs, from, from)).rejects.toThrow(refused);
    await expect(move(ours, from, xlm)).rejects.toThrow(refused);
  });
});

/** The append-only tables, each with the roles that may insert into it. */
const APPEND_ONLY: Readonly<Record<string, readonly string[]>> = {
  audit: ['holdfast_api', 'holdfast_books', 'holdfast_operator', 'holdfast_worker'],
  audit_link: ['holdfast_sequencer'],
  event: ['holdfast_sequencer'],
};
const ROLES = ['api', 'auditor', 'books', 'custody', 'operator', 'sequencer', 'worker'].map(
  (name) => `holdfast_${name}`,
);

/** Tries a statement as a role, on existing rows, and rolls it back. */
const asRole = async (role: string, text: string) => {
  const client = new pg.Client(world.databaseUrl);
  await client.connect();
  try {
    await client.query(`begin; set local role ${role}; set local app.marketplace_id = '1'`);
    await client.query(text);
  } finally {
    await client.end();
  }
};

describe.each(Object.entries(APPEND_ONLY))('%s is append-only', (table, writers) => {
  beforeAll(async () => {
    await (await world.market()).user();
  });

  it('for every role of the service, in every partition and column', async () => {
    const rights = await world.rows<{ role: string; part: string; may: string }>(
      `select role, part.relid::regclass::text as part, may from unnest($1::text[]) as role,
        pg_partition_tree($2) as part,
        unnest(array['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER', 'REFERENCES']) as may
      where has_table_privilege(role, part.relid, may)
        or (may in ('INSERT', 'UPDATE', 'REFERENCES')
          and has_any_column_privilege(role, part.relid, may)) order by role`,
      [ROLES, table],
    );
    expect(rights).toEqual(writers.map((role) => ({ role, part: table, may: 'INSERT' })));
  });

  it.each(ROLES)('as PostgreSQL enforces for %s', async (role) => {
    for (const statement of [
      `update ${table} set marketplace_id = marketplace_id`,
      `delete from ${table}`,
      `truncate ${table}`,
      `delete from ${table}_default`,
      `drop table ${table}_default`,
      `alter table ${table} disable row level security`,
    ])
      await expect(asRole(role, statement), statement).rejects.toThrow(
        /permission denied|must be owner/,
      );
  });
});

it('lets only the sequencer move the head of a log, and no role remove one', async () => {
  const rights = await world.rows<{ role: string; may: string }>(
    `select role, may from unnest($1::text[]) as role,
      unnest(array['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) as may
    where has_table_privilege(role, 'event_head', may)`,
    [ROLES],
  );
  expect(rights).toEqual([
    { role: 'holdfast_sequencer', may: 'INSERT' },
    { role: 'holdfast_sequencer', may: 'UPDATE' },
  ]);
});

it('the floor of an id is the same in SQL and in the kernel', async () => {
  for (const instant of [0, 1_767_225_600_000, Date.now()]) {
    const [row] = await world.rows(`select id_floor('aud', $1::timestamptz) as floor`, [
      new Date(instant).toISOString(),
    ]);
    expect(row?.['floor']).toBe(idFloor('aud', instant));
  }
});

it('an id of now falls into the partition of this month', async () => {
  const month = new Date().toISOString().slice(0, 7).replace('-', '_');
  await (await world.market()).user();
  const partitions = await world.rows(
    `select distinct tableoid::regclass::text as part from audit`,
  );
  expect(partitions).toEqual([{ part: `audit_${month}` }]);
});
