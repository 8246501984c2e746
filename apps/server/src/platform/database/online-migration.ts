//! A migration `NNNN_name.online.sql`: outside a transaction, since it takes long and must not hold
//! a lock so long. Each statement can be run again after a try that ended anywhere.
import type { Limits, MigrationSession } from './migration-session.ts';

/** Waits for the transactions around it, and none waits for it. */
const UNLIMITED: Limits = { lockMs: 0, statementMs: 0 };
/** Takes a lock that traffic waits behind. */
const SHORT_LOCK: Limits = { lockMs: 1000, statementMs: 0 };

const CREATE_INDEX = /^create (unique )?index concurrently (\w+) on (\w+) (.+)$/i;
const DROP_INDEX = /^drop index concurrently (\w+)$/i;
const VALIDATE = /^alter table (\w+) validate constraint (\w+)$/i;
const NAME_CHARACTERS_MAX = 63;

interface IndexPlan {
  /** `create index` or `create unique index`. */
  readonly create: string;
  readonly name: string;
  readonly table: string;
  /** Columns, condition and settings. */
  readonly rest: string;
}

/** `record` is the statement that says that all of it is done. */
export async function applyOnline(
  session: MigrationSession,
  name: string,
  text: string,
  record: string,
): Promise<void> {
  for (const statement of onlineStatements(text)) await runStatement(session, name, statement);
  await session.retry(name, record, SHORT_LOCK);
}

/** Each on one line. Throws on one that is no online change. */
export function onlineStatements(text: string): string[] {
  const statements = text
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((each) => each.replaceAll(/\s+/g, ' ').trim())
    .filter((each) => each !== '');
  for (const each of statements)
    if (![CREATE_INDEX, DROP_INDEX, VALIDATE].some((kind) => kind.test(each)))
      throw new Error(
        `an online migration creates or drops an index concurrently, or validates a constraint, ` +
          `and names each without a schema; not: ${each}`,
      );
  return statements;
}

async function runStatement(session: MigrationSession, name: string, statement: string) {
  const [, unique = '', index, table, rest] = CREATE_INDEX.exec(statement) ?? [];
  if (index !== undefined && table !== undefined && rest !== undefined) {
    const plan = { create: `create ${unique}index`, name: index, table, rest };
    const isPartitioned = (await findRelation(session, table))?.kind === 'p';
    return isPartitioned ? createByPartition(session, name, plan) : build(session, name, plan);
  }
  const [, dropped] = DROP_INDEX.exec(statement) ?? [];
  if (dropped !== undefined)
    return (await findRelation(session, dropped)) && session.retry(name, statement, UNLIMITED);
  return session.retry(name, statement, SHORT_LOCK);
}

/**
 * Builds the index beside traffic. One that is there already is a leftover: this migration has not
 * been recorded, and no two migrations create the same name.
 */
async function build(session: MigrationSession, name: string, plan: IndexPlan): Promise<void> {
  const drop = () => dropLeftover(session, name, plan);
  try {
    const statement = `${plan.create} concurrently ${plan.name} on ${plan.table} ${plan.rest}`;
    await session.retry(name, statement, UNLIMITED, drop);
  } catch (error) {
    // It would still cost every write, and a unique one to refuse some.
    await drop().catch(() => undefined);
    throw error;
  }
}

/**
 * PostgreSQL builds no index of a partitioned table beside traffic, but one of each partition. The
 * index of the table comes first, without its partitions: a partition that is created from then on
 * gets its own with it. It becomes valid with the last partition that is attached.
 */
async function createByPartition(
  session: MigrationSession,
  name: string,
  plan: IndexPlan,
): Promise<void> {
  if ((await findIndex(session, plan)) === undefined)
    await session.retry(
      name,
      `${plan.create} ${plan.name} on only ${plan.table} ${plan.rest}`,
      SHORT_LOCK,
    );
  for (const partition of await partitionsWithout(session, plan)) {
    const own = { ...plan, table: partition, name: partitionIndex(plan, partition) };
    await build(session, name, own);
    const attach = `alter index ${plan.name} attach partition ${own.name}`;
    await session.retry(name, attach, SHORT_LOCK);
  }
}

/** `entry_kind_idx` of `entry` becomes `entry_2026_11_kind_idx`. */
function partitionIndex({ name, table }: IndexPlan, partition: string): string {
  const rest = name.startsWith(`${table}_`) ? name.slice(table.length + 1) : name;
  const own = `${partition}_${rest}`;
  if (own.length > NAME_CHARACTERS_MAX) throw new Error(`${own} is too long a name: shorten it`);
  return own;
}

async function partitionsWithout(
  { client }: MigrationSession,
  { name, table }: IndexPlan,
): Promise<string[]> {
  const { rows } = await client.query(
    `select c.relname as name from pg_inherits p join pg_class c on c.oid = p.inhrelid
     where p.inhparent = $1::regclass and not exists (
       select from pg_inherits a join pg_index i on i.indexrelid = a.inhrelid
       where a.inhparent = $2::regclass and i.indrelid = p.inhrelid)
     order by c.relname`,
    [table, name],
  );
  return rows.map((row) => row.name);
}

async function dropLeftover(session: MigrationSession, name: string, plan: IndexPlan) {
  if ((await findIndex(session, plan)) !== undefined)
    await session.retry(name, `drop index concurrently ${plan.name}`, UNLIMITED);
}

async function findIndex(session: MigrationSession, { name, table }: IndexPlan) {
  const found = await findRelation(session, name);
  if (found !== undefined && found.indexed !== table)
    throw new Error(`${name} is not an index of ${table}: choose another name`);
  return found;
}

/** A table, or an index with the table that it belongs to. */
async function findRelation(
  { client }: MigrationSession,
  name: string,
): Promise<{ kind: string; indexed: string | null } | undefined> {
  const { rows } = await client.query(
    `select c.relkind as kind, i.indrelid::regclass::text as indexed
     from pg_class c left join pg_index i on i.indexrelid = c.oid
     where c.oid = to_regclass($1)`,
    [name],
  );
  return rows[0];
}
