//! Sets a world's database back to an earlier moment, as a restore does, and recovers it.
import pg from 'pg';
import { checkLineage } from '../assurance/recovery/check-lineage.ts';
import { recoverDatabase } from '../assurance/recovery/recover-database.ts';
import type { EscrowWorld } from './escrows.ts';

/** Content of every table, except of those that say which server this is. */
const TABLES = `
  select c.oid::regclass::text as name, (
      select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute a
      where a.attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
    ) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition
    and n.nspname not in ('pg_catalog', 'information_schema', 'rewind')
    and c.relname not in ('migration', 'lineage', 'lineage_mark', 'recovery_step', 'recovery_finding')`;

export interface Moment {
  /** Everything written since is lost. */
  restore(): Promise<void>;
}

export async function remember(world: EscrowWorld): Promise<Moment> {
  const all = (work: (table: { name: string; columns: string; copy: string }) => string[]) =>
    inOneSession(world, async (client) => {
      const { rows } = await client.query<{ name: string; columns: string }>(TABLES);
      const tables = rows.map((row, at) => ({ ...row, copy: `rewind.t${at}` }));
      for (const table of tables)
        for (const statement of work(table)) await client.query(statement);
    });
  await world.rows('drop schema if exists rewind cascade');
  await world.rows('create schema rewind');
  await all(({ name, columns, copy }) => [
    `create table ${copy} as select ${columns} from ${name}`,
  ]);
  return {
    restore: async () => {
      await all(({ name, columns, copy }) => [
        `delete from ${name}`,
        `insert into ${name} (${columns}) overriding system value select * from ${copy}`,
      ]);
      await world.rows('drop schema rewind cascade');
    },
  };
}

/** In one transaction, without triggers and foreign keys. */
async function inOneSession(
  { databaseUrl }: EscrowWorld,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`begin; set local session_replication_role = 'replica'`);
    await work(client);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

/** As on another server: after a restore without a mark in Restate, or after a promotion. */
export async function closeAs(world: EscrowWorld, as: 'REWOUND' | 'PROMOTED'): Promise<void> {
  await world.rows(`update lineage set timeline = '000000FF'
    where number = (select max(number) from lineage)`);
  const advanceMark = async () => (as === 'REWOUND' ? null : 0n);
  await checkLineage({ ...world.custody, engine: { ...world.custody.engine, advanceMark } });
}

/** Until a person is needed. */
export async function recover(world: EscrowWorld): Promise<void> {
  await recoverDatabase(world.custody);
  await world.sandbox.advance(500);
  await recoverDatabase(world.custody);
}

/** As two platform admins do. */
export async function openAgain(world: EscrowWorld): Promise<void> {
  await world.rows(`update lineage set status = 'OPEN', opened_at = now()
    where number = (select max(number) from lineage)`);
  await checkLineage(world.custody);
}
