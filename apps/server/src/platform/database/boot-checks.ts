//! Checks of the database before a process serves: durable, guarded, at the right schema level.
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import type { Log } from '../process/log.ts';
import { StartFault } from '../process/start-fault.ts';
import { findDurabilityFaults } from './durability.ts';
import { migrationNames } from './migrator.ts';
import { untilReachable } from './reachable.ts';

const VERSION_MIN = 150_000;

interface Facts {
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  data_checksums: string;
  version: number;
  in_recovery: boolean;
  role: string;
  is_unsafe: boolean;
  inherits: boolean;
  owns: number;
  unguarded: string[];
  level: string | null;
}

/** The login of each process; `grants.ts` lists what it may do. */
const LOGINS = { api: 'holdfast_api', worker: 'holdfast_worker' } as const;

/** Throws with every fault at once. Development only warns of faults that production refuses. */
export async function checkDatabase(
  { pool, config, log }: { readonly pool: pg.Pool; readonly config: Config; readonly log: Log },
  process: keyof typeof LOGINS,
): Promise<void> {
  await untilReachable(() => checkSession(pool), log);
  const {
    rows: [facts],
  } = await pool.query<Facts>(`
    select current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
      current_setting('synchronous_commit') as synchronous_commit,
      current_setting('data_checksums') as data_checksums,
      current_setting('server_version_num')::int as version, pg_is_in_recovery() as in_recovery,
      current_user as role,
      (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as is_unsafe,
      (select rolinherit from pg_roles where rolname = current_user) as inherits,
      (select count(*)::int from pg_class where relowner = current_user::regrole and relkind in ('r', 'p')) as owns,
      array(select c.relname::text from pg_class c join pg_attribute a on a.attrelid = c.oid
        where a.attname = 'marketplace_id' and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
          and not (c.relrowsecurity and c.relforcerowsecurity)) as unguarded,
      (select max(name) from schema_migration) as level`);
  const wanted = migrationNames().at(-1) as string;
  const { faults, warnings } = checkFacts(facts as Facts, LOGINS[process], wanted);
  // By a function that an older schema does not have.
  if ((facts?.level ?? '') >= wanted && facts?.in_recovery === false)
    faults.push(...(await findDurabilityFaults(pool, config)));
  if (config.NODE_ENV === 'production') faults.push(...warnings);
  else for (const warning of warnings) log.warn({ warning }, 'unsafe database setting found');
  if (faults.length > 0)
    throw new StartFault(
      `the database does not meet the requirements:\n${faults.map((f) => `  - ${f}`).join('\n')}`,
    );
}

const POOLER =
  'the connection to the database leads through a pooler, such as PgBouncer: Holdfast needs sessions ' +
  'of its own for its time-outs, its advisory locks and LISTEN, which pooling breaks. Connect to ' +
  'PostgreSQL itself; each process has a pool of its own (HOLDFAST_POOL_SIZE)';

/**
 * A pooler refuses the settings of a session, or drops them, and gives out process ids of its own:
 * a cancel request would come to it.
 */
async function checkSession(pool: pg.Pool): Promise<void> {
  const client = (await pool.connect().catch((error: Error) => {
    throw /unsupported startup parameter/.test(error.message) ? new StartFault(POOLER) : error;
  })) as pg.PoolClient & { readonly processID: number };
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    if (rows[0]?.pid !== client.processID) throw new StartFault(POOLER);
  } finally {
    client.release();
  }
}

export function checkFacts(
  facts: Facts,
  login: string,
  wanted: string,
): { faults: string[]; warnings: string[] } {
  const faults: string[] = [];
  const warnings: string[] = [];
  const need = (holds: boolean, fault: string) => holds || faults.push(fault);
  need(facts.fsync === 'on', 'fsync is off: an acknowledged write could be lost');
  need(
    facts.full_page_writes === 'on',
    'full_page_writes is off: a crash could leave a half-written page',
  );
  need(
    facts.synchronous_commit !== 'off' && facts.synchronous_commit !== 'local',
    `synchronous_commit is ${facts.synchronous_commit}: an acknowledged write could be lost`,
  );
  need(facts.version >= VERSION_MIN, 'PostgreSQL 15 or later is needed');
  need(!facts.in_recovery, 'this is a standby; the primary is needed');
  need(!facts.is_unsafe, `role ${facts.role} is a superuser or bypasses row-level security`);
  need(facts.owns === 0, `role ${facts.role} owns tables; connect as ${login}`);
  // Rights that one process lacks would show in the middle of a request.
  need(
    facts.is_unsafe || facts.owns > 0 || facts.role === login,
    `role ${facts.role} is not the login of this process; connect as ${login}`,
  );
  need(
    facts.is_unsafe || !facts.inherits,
    `role ${facts.role} inherits the rights of its roles, so that it can see the rows of every ` +
      `marketplace; run: alter role ${facts.role} noinherit`,
  );
  need(
    facts.unguarded.length === 0,
    `row-level security is not forced on ${facts.unguarded.join(', ')}`,
  );
  need(
    facts.level !== null && facts.level >= wanted,
    `migrations up to ${wanted} are needed; the database is at ${facts.level}: run holdfast migrate`,
  );
  if (facts.data_checksums !== 'on')
    warnings.push('data checksums are off: corruption on disk would go unnoticed');
  return { faults, warnings };
}
