//! The grants of a migrated database are those of `grants.ts` and `function-grants.ts`: none more,
//! none less. What counts are the records of PostgreSQL, not what the migrations say.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { cloneTemplate, dropSoon } from '../../testing/database/test-database.ts';
import { FUNCTION_GRANTS } from './function-grants.ts';
import { COLUMN_GRANTS, OTHER_RIGHTS, ROLES, TABLE_GRANTS } from './grants.ts';

let url: URL;
let client: pg.Client;

beforeAll(async () => {
  url = await cloneTemplate(inject('adminUrl'), inject('template'));
  client = new pg.Client(url.href);
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await dropSoon(inject('adminUrl'), url);
});

type Cells = Readonly<Record<string, string>>;

/** The rows of a table, each by the names in its first row. */
function rowsOf(table: string): Cells[] {
  const [names = [], ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.slice(1, -1).split('|'))
    .map((cells) => cells.map((cell) => cell.trim()));
  return rows.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])));
}

const listed = (cell = '') => cell.split(', ').filter((each) => each !== '');
const lettersOf = (cell = '') => cell.match(/\w/g) ?? [];
const ROLE_NAMES = rowsOf(ROLES).map(({ role }) => role as string);
const ALL_ROLES = [...ROLE_NAMES, 'public'];
const RIGHTS: Readonly<Record<string, string>> = {
  S: 'select',
  I: 'insert',
  U: 'update',
  D: 'delete',
};

/** Each right as one line: `worker insert envelope`. */
function written(): string[] {
  const tables = rowsOf(TABLE_GRANTS).flatMap((row) =>
    ALL_ROLES.flatMap((role) =>
      lettersOf(row[role]).flatMap((letter) => {
        const may = RIGHTS[letter];
        return may === undefined ? [] : [`${role} ${may} ${row['table']}`];
      }),
    ),
  );
  const columns = rowsOf(COLUMN_GRANTS).flatMap((row) =>
    listed(row['roles']).flatMap((role) =>
      listed(row['columns']).map((column) => `${role} ${row['right']} ${row['table']}.${column}`),
    ),
  );
  const others = rowsOf(OTHER_RIGHTS).flatMap((row) =>
    listed(row['roles']).map((role) => `${role} ${row['right']} ${row['object']}`),
  );
  const functions = rowsOf(FUNCTION_GRANTS).flatMap((row) =>
    ALL_ROLES.filter((role) => row[role] === 'x').map(
      (role) => `${role} execute ${row['function']}()`,
    ),
  );
  const memberships = rowsOf(ROLES).flatMap((row) =>
    listed(row['memberships']).map((member) => `${row['role']} becomes ${member}`),
  );
  return [...tables, ...columns, ...others, ...functions, ...memberships].sort();
}

/** A right may include the one to pass it on, which no role has. */
const LINE = `regexp_replace(case grantee when 0 then 'public' else grantee::regrole::text end,
    '^holdfast_', '') || ' ' || lower(privilege_type)
  || case when is_grantable then ' and grant ' else ' ' end`;
const OURS = `array['public', 'books', 'access', 'work', 'custody']::regnamespace[]`;
const NAME = `case n.nspname when 'public' then '' else n.nspname || '.' end`;

/** Every right of a role that does not own the object, partitions included. */
const GRANTED = `
  select ${LINE} || case c.relkind when 'S' then 'sequence ' else '' end || ${NAME} || c.relname
  from pg_class c join pg_namespace n on n.oid = c.relnamespace, aclexplode(c.relacl)
  where c.relnamespace = any (${OURS}) and grantee <> c.relowner
  union all
  select ${LINE} || ${NAME} || c.relname || '.' || a.attname
  from pg_attribute a join pg_class c on c.oid = a.attrelid
    join pg_namespace n on n.oid = c.relnamespace, aclexplode(a.attacl)
  where c.relnamespace = any (${OURS}) and grantee <> c.relowner
  union all
  select ${LINE} || 'schema ' || n.nspname
  from pg_namespace n, aclexplode(n.nspacl)
  where n.oid = any (${OURS}) and grantee <> n.nspowner
  union all
  select ${LINE} || ${NAME} || p.proname || '()'
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace,
    aclexplode(coalesce(p.proacl, acldefault('f', p.proowner)))
  where p.pronamespace = any (${OURS}) and grantee <> p.proowner
  union all
  select ${LINE} || 'of future objects' from pg_default_acl, aclexplode(defaclacl)
  union all
  select regexp_replace(member::regrole::text, '^holdfast_', '')
    || case when admin_option then ' administers ' else ' becomes ' end
    || regexp_replace(roleid::regrole::text, '^holdfast_', '')
  from pg_auth_members where member = any ($1::regrole[])`;

async function granted(): Promise<string[]> {
  const roles = ROLE_NAMES.map((name) => `holdfast_${name}`);
  const { rows } = await client.query<{ right: string }>(
    `select granted as right from (${GRANTED}) as all_of_them (granted)`,
    [roles],
  );
  return rows.map(({ right }) => right).sort();
}

async function differences(): Promise<{ tooMany: string[]; missing: string[] }> {
  const [table, database] = [new Set(written()), new Set(await granted())];
  return {
    tooMany: [...database].filter((right) => !table.has(right)),
    missing: [...table].filter((right) => !database.has(right)),
  };
}

/** What the comparison finds after this change, which is rolled back. */
async function differencesAfter(change: string) {
  await client.query('begin');
  try {
    await client.query(change);
    return await differences();
  } finally {
    await client.query('rollback');
  }
}

describe('the written grants', () => {
  it('are those of the database, none more and none less', async () => {
    expect(await differences()).toEqual({ tooMany: [], missing: [] });
    expect(written().length).toBeGreaterThan(500);
  });

  it.each([
    ['grant insert on withdrawal to holdfast_worker', 'worker insert withdrawal'],
    ['grant truncate on audit to holdfast_api', 'api truncate audit'],
    ['grant update (address) on wallet to holdfast_api', 'api update wallet.address'],
    ['grant select on entry_default to holdfast_api', 'api select entry_default'],
    ['grant select on users to public', 'public select users'],
    ['grant select on users to pg_monitor', 'pg_monitor select users'],
    [
      'grant execute on function books.hold_for_withdrawal to holdfast_worker',
      'worker execute books.hold_for_withdrawal()',
    ],
    ['grant execute on function books.post_entry to public', 'public execute books.post_entry()'],
    ['grant usage on schema access to holdfast_worker', 'worker usage schema access'],
    ['grant holdfast_operator to holdfast_worker', 'worker becomes operator'],
    ['grant holdfast_books to holdfast_api', 'api becomes books'],
    ['grant pg_read_all_data to holdfast_api', 'api becomes pg_read_all_data'],
    [
      'alter default privileges in schema public grant select on tables to holdfast_api',
      'api select of future objects',
    ],
  ])('lack one that was added: %s', async (change, right) => {
    expect(await differencesAfter(change)).toEqual({ tooMany: [right], missing: [] });
  });

  it.each([
    ['revoke insert on withdrawal from holdfast_api', 'api insert withdrawal'],
    [
      'revoke update (claimed_at) on pooled_wallet from holdfast_api',
      'api update pooled_wallet.claimed_at',
    ],
    [
      'revoke execute on function books.post_batch from holdfast_api',
      'api execute books.post_batch()',
    ],
    ['revoke holdfast_sequencer from holdfast_worker', 'worker becomes sequencer'],
  ])('name one that was taken away: %s', async (change, right) => {
    expect(await differencesAfter(change)).toEqual({ tooMany: [], missing: [right] });
  });

  it('find a right to pass a right on', async () => {
    const passedOn = 'grant insert on withdrawal to holdfast_api with grant option';
    expect(await differencesAfter(passedOn)).toEqual({
      tooMany: ['api insert and grant withdrawal'],
      missing: ['api insert withdrawal'],
    });
  });
});

it('lists every table, with its columns wherever a letter is lower case', async () => {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace
       and relkind in ('r', 'p') and not relispartition`,
  );
  const table = rowsOf(TABLE_GRANTS);
  expect(table.map((row) => row['table']).sort()).toEqual(rows.map(({ name }) => name).sort());
  const lower = table.flatMap((row) =>
    ROLE_NAMES.flatMap((role) =>
      lettersOf(row[role])
        .filter((letter) => RIGHTS[letter] === undefined)
        .map((letter) => `${role} ${RIGHTS[letter.toUpperCase()]} ${row['table']}`),
    ),
  );
  const limited = rowsOf(COLUMN_GRANTS).flatMap((row) =>
    listed(row['roles']).map((role) => `${role} ${row['right']} ${row['table']}`),
  );
  expect(lower.sort()).toEqual(limited.sort());
});

it('says of every table that both processes write why they do', () => {
  const writes = (cell = '') => /[IUD]/i.test(cell);
  const unexplained = rowsOf(TABLE_GRANTS)
    .filter((row) => writes(row['api']) && writes(row['worker']))
    .filter((row) => row['why both processes write it; what a policy narrows'] === '');
  expect(unexplained).toEqual([]);
});

it('names the role that each function runs as', async () => {
  const { rows } = await client.query<{ name: string; runs_as: string }>(
    `select ${NAME} || p.proname as name,
       case when not p.prosecdef then 'caller'
         when p.proowner = (select datdba from pg_database where datname = current_database())
           then 'owner'
         else regexp_replace(p.proowner::regrole::text, '^holdfast_', '') end as runs_as
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where p.pronamespace = any (${OURS})`,
  );
  const inDatabase = new Map(rows.map(({ name, runs_as: runsAs }) => [name, runsAs]));
  for (const row of rowsOf(FUNCTION_GRANTS))
    expect([row['function'], row['runs as']]).toEqual([
      row['function'],
      inDatabase.get(row['function'] ?? ''),
    ]);
});

it('gives no role more than its kind: none inherits, bypasses, owns or creates', async () => {
  const { rows } = await client.query(
    `select rolname as role, case when rolcanlogin then 'login' else 'nologin' end as kind,
       rolinherit or rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication
         as has_more,
       exists (select from pg_class where relowner = pg_roles.oid
         and relkind in ('r', 'p', 'v', 'm', 'S')) as is_owner
     from pg_roles where rolname = any ($1)`,
    [ROLE_NAMES.map((name) => `holdfast_${name}`)],
  );
  const byName = (one: { role: string }, other: { role: string }) =>
    one.role < other.role ? -1 : 1;
  const expected = rowsOf(ROLES).map(({ role, kind }) => ({
    role: `holdfast_${role}`,
    kind,
    has_more: false,
    is_owner: false,
  }));
  expect(rows.sort(byName)).toEqual(expected.sort(byName));
});
