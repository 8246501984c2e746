//! The connection of a migration: short waits for locks, further tries, and the names of the
//! sessions that were in the way.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../process/log.ts';

/** 0 is no limit. */
export interface Limits {
  /** How long a statement waits for a lock: all that come after it wait as long. */
  readonly lockMs: number;
  readonly statementMs: number;
}

export interface MigrationSession extends AsyncDisposable {
  readonly client: pg.Client;
  /**
   * Runs the statements within their limits; on a lock that is not free, again after a pause.
   * `prepare` comes before each try.
   */
  retry(
    name: string,
    statements: string,
    limits: Limits,
    prepare?: () => Promise<void>,
  ): Promise<void>;
}

interface SessionOptions {
  readonly triesMax: number;
  readonly log: Pick<Log, 'warn'> | undefined;
}

/** A session that the migration waits for. */
interface Blocker {
  readonly pid: number;
  readonly role: string;
  readonly state: string;
  readonly seconds: number;
  readonly query: string;
}

const IDLE_MS = 30_000;
/** For PostgreSQL to end an autovacuum. */
const VACUUM_MS = 250;
const WATCH_MS = 100;
const LONG_WAIT_MS = 10_000;
const PAUSE_MS_FIRST = 250;
const PAUSE_MS_MAX = 8000;
/**
 * A lock that was not free, or a deadlock with traffic, is worth many tries. A statement that was
 * too slow held its lock for all that time, and is probably as slow again.
 */
const LOCKED = ['55P03', '40P01'];
const TOO_SLOW = '57014';
const SLOW_TRIES_MAX = 3;

export async function openMigrationSession(
  databaseUrl: string,
  options: SessionOptions,
): Promise<MigrationSession> {
  await using cleanup = new AsyncDisposableStack();
  const connect = async (application_name: string) => {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name,
      // While an index is built, nothing is sent for minutes: networks forget such connections.
      keepAlive: true,
      keepAliveInitialDelayMillis: IDLE_MS,
    });
    // The query that runs is rejected too; without this the process would end before it says so.
    client.on('error', () => undefined);
    await client.connect();
    cleanup.defer(() => client.end());
    return client;
  };
  const client = await connect('holdfast migrate');
  const observer = await connect('holdfast migrate: observer');
  const { rows } = await client.query<{ pid: number; deadlockMs: number }>(
    `select pg_backend_pid() as pid, setting::int as "deadlockMs"
     from pg_settings where name = 'deadlock_timeout'`,
  );
  const { pid, deadlockMs } = rows[0] as (typeof rows)[0];
  const watch = { observer, pid, log: options.log };
  const all = cleanup.move();
  return {
    client,
    retry: (name, statements, limits, prepare = async () => undefined) =>
      retry({ client, watch, deadlockMs, ...options }, { name, statements, limits, prepare }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

interface Watch {
  readonly observer: pg.Client;
  readonly pid: number;
  readonly log: SessionOptions['log'];
}

interface Change {
  readonly name: string;
  readonly statements: string;
  readonly limits: Limits;
  readonly prepare: () => Promise<void>;
}

interface Runner extends SessionOptions {
  readonly client: pg.Client;
  readonly watch: Watch;
  readonly deadlockMs: number;
}

async function retry(
  { client, watch, deadlockMs, triesMax, log }: Runner,
  { name, statements, limits, prepare }: Change,
): Promise<void> {
  const { statementMs } = limits;
  let { lockMs } = limits;
  for (let tries = 1; ; tries += 1) {
    await prepare();
    await client.query(`set lock_timeout = ${lockMs}; set statement_timeout = ${statementMs}`);
    const watching = watchBlockers(watch, name);
    try {
      await client.query(statements);
      return;
    } catch (error) {
      const fault = error as Error & { code?: string };
      const [blockers] = await Promise.all([
        watching.stop(),
        client.query('rollback').catch(() => undefined),
      ]);
      const isLocked = LOCKED.includes(fault.code ?? '');
      if (!isLocked && fault.code !== TOO_SLOW) throw failed(name, fault);
      const max = isLocked ? triesMax : Math.min(triesMax, SLOW_TRIES_MAX);
      if (tries >= max) throw failed(name, fault, { tries, blockers });
      lockMs = lockMsFor(limits, blockers, deadlockMs);
      const pauseMs = Math.min(PAUSE_MS_FIRST * 2 ** (tries - 1), PAUSE_MS_MAX);
      const fields = { migration: name, try: tries, triesMax: max, blockers, pauseMs };
      log?.warn({ ...fields, cause: fault.message }, 'migration delayed');
      await sleep(pauseMs);
    } finally {
      await watching.stop();
    }
  }
}

/**
 * PostgreSQL ends an autovacuum that is in the way, but only for one who has waited for the
 * `deadlock_timeout`, usually a second: the next try has to wait a little longer than that.
 */
export function lockMsFor(
  { lockMs }: Limits,
  blockers: readonly Pick<Blocker, 'role'>[],
  deadlockMs: number,
): number {
  const isVacuum = blockers.some(({ role }) => role === 'autovacuum worker');
  return isVacuum && lockMs > 0 ? Math.max(lockMs, deadlockMs + VACUUM_MS) : lockMs;
}

function failed(
  name: string,
  cause: Error,
  given?: { readonly tries: number; readonly blockers: readonly Blocker[] },
): Error {
  const { tries, blockers = [] } = given ?? {};
  const by = blockers.map(
    ({ pid, role, state, seconds, query }) =>
      `\n  blocked by pid ${pid} (${role}, ${state}, for ${seconds} s): ${query}`,
  );
  const after = tries === undefined ? '' : ` after ${tries} tries`;
  return new Error(`migration ${name} failed${after}: ${cause.message}${by.join('')}`, { cause });
}

/** Looks while the statements run: afterwards there is nothing left that they wait for. */
function watchBlockers({ observer, pid, log }: Watch, name: string) {
  const stopping = new AbortController();
  let seen: Blocker[] = [];
  const watch = async () => {
    for (let polls = 1; !stopping.signal.aborted; polls += 1) {
      await sleep(WATCH_MS, undefined, { signal: stopping.signal });
      const found = await findBlockers(observer, pid);
      if (found.length > 0) seen = found;
      if (found.length > 0 && (polls * WATCH_MS) % LONG_WAIT_MS === 0)
        log?.warn({ migration: name, blockers: found }, 'migration still waited');
    }
  };
  // It only helps to explain: the migration continues without it.
  const watching = watch().catch(() => undefined);
  return {
    /** Those that were seen last; what is being looked up still counts. */
    stop: async () => {
      stopping.abort();
      await watching;
      return seen;
    },
  };
}

async function findBlockers(observer: pg.Client, pid: number): Promise<Blocker[]> {
  const { rows } = await observer.query<Blocker>(
    `select pid, coalesce(usename, backend_type) as role, coalesce(state, 'running') as state,
       coalesce(extract(epoch from clock_timestamp() - xact_start)::int, 0) as seconds,
       left(query, 200) as query
     from pg_stat_activity where pid = any (pg_blocking_pids($1)) order by xact_start`,
    [pid],
  );
  return rows;
}
