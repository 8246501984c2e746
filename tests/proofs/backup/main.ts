//! `npm run drill:backup`: books of a gigabyte under load are backed up with pgBackRest, the server
//! is lost, and a database of a random moment is restored within a minute: with every write that
//! was acknowledged before that moment and none that came after it. Then the same with what a drill
//! must find: a segment that is missing, a balance that was changed, keys that are absent.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { databaseUrl } from '../../../apps/cli/src/local-postgres.ts';
import { createTemporaryFolder } from '../../../apps/cli/src/temporary-folder.ts';
import { randomOf } from '../../harness/random.ts';
import { print, secondsSince } from '../../harness/report.ts';
import { auditOnce, auditRun, runHarness } from '../../harness/run.ts';
import { seedEntries } from '../../harness/seed-entries.ts';
import { HIGH_LOAD, needed, openSet } from '../../harness/set.ts';
import { within } from '../../harness/wait.ts';
import { startWrites, writeHistory } from './live-writes.ts';
import { type DrillOptions, options } from './options.ts';
import { type BackedUp, isInstalled, startBackedUp } from './repository.ts';
import { openWallets } from './wallets.ts';

const WALLETS = 5;
const SETTINGS = {
  ...HIGH_LOAD,
  HOLDFAST_RATE_LIMIT: 'off',
  HOLDFAST_ADJUSTMENT_LIMIT: 'none',
  HOLDFAST_DURABILITY: 'archive',
  HOLDFAST_SPARE_WALLETS: String(WALLETS),
};
const PROMOTED_MS_MAX = 300_000;

/** What the database's server does not have when it is lost. */
interface Safe {
  readonly folder: string;
  readonly read: (name: string) => string;
}

interface Lost {
  readonly server: BackedUp;
  readonly safe: Safe;
  readonly database: string;
  /** The moment to go back to, and what a database of that moment must have. */
  readonly at: Date;
  readonly history: string;
}

async function drillBackup(options: DrillOptions): Promise<string[]> {
  if (!isInstalled()) throw new Error('PostgreSQL and pgBackRest must be installed');
  await using cleanup = new AsyncDisposableStack();
  const { path: home } = cleanup.use(createTemporaryFolder('holdfast-backup'));
  const lost = await loseServer(options, home);
  const wrong: string[] = [];
  wrong.push(...(await restoreAndCheck(lost, options, join(home, 'restored'))));
  wrong.push(...(await findMissingSegment(lost, join(home, 'missing-segment'))));
  // Last: what comes after it would have the wrong one too.
  wrong.push(...refuseWrongPassphrase(lost, join(home, 'wrong-passphrase')));
  return wrong;
}

/** A set with its books, a backup under load, more writes; then only the repository is left. */
async function loseServer(options: DrillOptions, home: string): Promise<Lost> {
  const safe = createSafe(join(home, 'safe'));
  const { server, passphrase } = await startBackedUp(home);
  writeFileSync(join(safe.folder, 'repo1-cipher-pass'), passphrase);
  process.env['DATABASE_URL'] = server.adminUrl;
  const set = await openSet({ apis: 1, workers: 1, isLoud: options.loud, env: SETTINGS });
  try {
    const keys = needed(set.set.settings['HOLDFAST_WALLET_KEYS'], 'HOLDFAST_WALLET_KEYS');
    writeFileSync(join(safe.folder, 'HOLDFAST_WALLET_KEYS'), keys);
    const { monitor } = set;
    // Its server is lost before it is closed.
    monitor.on('error', () => undefined);
    let startedAt = performance.now();
    await seedEntries(set, options.entries);
    const pooled = async () =>
      Number((await one(monitor, 'select count(*) from pooled_wallet')) ?? 0);
    if (!(await within(60_000, async () => (await pooled()) > 0)))
      throw new Error('the worker has created no wallet');
    const bytes = Number(await one(monitor, 'select pg_database_size(current_database())'));
    print(`${(bytes / 1e9).toFixed(2)} GB of books (in ${secondsSince(startedAt)})`);
    const live = await startWrites(set);
    startedAt = performance.now();
    server.run('--type=full', 'backup');
    print(`full backup under load: ${secondsSince(startedAt)}`);
    const from = Date.now();
    await sleep((options.seconds * 1000) / 2);
    // Segments of their own for the time before and after the moment to restore to.
    await one(monitor, 'select pg_switch_wal()');
    await sleep((options.seconds * 1000) / 2);
    const until = Date.now();
    // A restore to a moment needs a commit behind it.
    await sleep(1000);
    await live.stop();
    await one(monitor, 'select pg_switch_wal()');
    server.run('check');
    // In the second half: the segment that is removed later lies before it.
    const half = Math.floor((until - from) / 2);
    const at = new Date(from + half + 500 + randomOf(options.seed, 1).below(half - 500));
    const history = join(home, 'history.jsonl');
    const { present, absent } = writeHistory(history, live.writes, at.getTime());
    print(`restore to ${at.toISOString()}: ${present} writes before it, ${absent} after it`);
    if (present === 0 || absent === 0) throw new Error('the moment has no writes on both sides');
    const database = new URL(set.databaseUrl).pathname.slice(1);
    return { server, safe, database, at, history };
  } finally {
    // Its database goes with the server.
    await Promise.all([...set.apis, ...set.workers].map((each) => each.kill('SIGKILL')));
    await server.lose();
    await set.stop().catch(() => undefined);
  }
}

async function restoreAndCheck(
  { server, safe, database, at, history }: Lost,
  { limit }: DrillOptions,
  folder: string,
): Promise<string[]> {
  const startedAt = performance.now();
  server.restore(folder, at, safe.read('repo1-cipher-pass'));
  const copiedIn = secondsSince(startedAt);
  const cluster = await server.start(folder);
  try {
    const url = databaseUrl(cluster.adminUrl, database);
    await untilPromoted(url);
    const seconds = (performance.now() - startedAt) / 1000;
    print(`restored in ${seconds.toFixed(1)} s, of which files ${copiedIn}`);
    const wrong = seconds > limit ? [`the restore took ${seconds.toFixed(1)} s`] : [];
    wrong.push(...(await auditRun({ databaseUrl: url, history })));
    const { wallets, opened } = await openWallets(url, safe.read('HOLDFAST_WALLET_KEYS'));
    const others = `v1:${randomBytes(32).toString('base64')}`;
    const without = await openWallets(url, others);
    print(
      `wallets: ${opened} of ${wallets} open with the keys from the safe, ${without.opened} without`,
    );
    if (wallets === 0 || opened !== wallets) wrong.push('a seed does not open with the keys');
    if (without.opened > 0) wrong.push('a seed opens without the keys');
    wrong.push(...(await findChangedBalance(url)));
    return wrong;
  } finally {
    await cluster.stop();
  }
}

/** The first canary: an auditor that passes here would pass any restored database. */
async function findChangedBalance(url: string): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  await pool.query(`set session_replication_role = replica;
    update account set available = available + 1
    where id = (select max(id) from account where kind = 'user')`);
  await pool.end();
  const { isClean, summary } = await auditOnce({ databaseUrl: url });
  print(`a balance that is a cent too high: ${summary}`);
  return isClean ? ['the auditor does not find a balance that was changed'] : [];
}

/** The store of the backups alone is of no use. */
function refuseWrongPassphrase({ server, at }: Lost, folder: string): string[] {
  try {
    server.restore(folder, at, randomBytes(48).toString('base64'));
    return ['the repository was read without its passphrase'];
  } catch {
    print('without its passphrase the repository cannot be read');
    return [];
  }
}

/** The second canary: a restore across a gap must fail, and not end before it in silence. */
async function findMissingSegment({ server, safe, database, at }: Lost, folder: string) {
  const segment = server.removeSegment();
  server.restore(folder, at, safe.read('repo1-cipher-pass'));
  try {
    const cluster = await server.start(folder);
    try {
      await untilPromoted(databaseUrl(cluster.adminUrl, database));
    } finally {
      await cluster.stop();
    }
  } catch {
    const reason = /FATAL: {2}(recovery ended before .*)/.exec(server.logOf(folder))?.[1];
    print(`without segment ${segment}: ${reason}`);
    return reason === undefined ? ['PostgreSQL does not say that the recovery ended early'] : [];
  }
  return [`the restore succeeded without segment ${segment}`];
}

/** Throws when the server ends, as it does when it cannot reach the moment. */
async function untilPromoted(url: string): Promise<void> {
  const isPromoted = async () => {
    const client = new pg.Client(url);
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ is_in: boolean }>(
        'select pg_is_in_recovery() as is_in',
      );
      return rows[0]?.is_in === false;
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  if (!(await within(PROMOTED_MS_MAX, isPromoted))) throw new Error('the server stays in recovery');
}

function createSafe(folder: string): Safe {
  mkdirSync(folder, { mode: 0o700 });
  return { folder, read: (name) => readFileSync(join(folder, name), 'utf8') };
}

async function one(pool: pg.Pool, query: string): Promise<unknown> {
  const { rows } = await pool.query<Record<string, unknown>>(query);
  return Object.values(rows[0] ?? {})[0];
}

await runHarness({ name: 'npm run drill:backup', options }, drillBackup);
