//! The connection pool: UTC, bounded waits, times as instants, lost connections survived.
import { Refusal } from '@holdfast/contract/errors';
import type { Instant } from '@holdfast/kernel/clock';
import pg from 'pg';
import type { Config } from '../config/config.ts';
import type { Log } from '../process/log.ts';
import { measurePoolWait } from '../telemetry/pool-wait.ts';
import { DatabaseClient, NO_WRITABLE_HOST } from './database-client.ts';

/** A BIGINT that is only ever a key: kept as text, never computed with. */
export type RowNumber = string;

const TIMESTAMPTZ = 1184;
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === TIMESTAMPTZ && format !== 'binary'
      ? readTimestamp
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
};

/** The session runs in UTC, so the text always ends in +00. */
function readTimestamp(text: string): Instant {
  return Date.parse(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
}

interface SessionChoice {
  readonly role?: string | undefined;
  readonly session?: readonly string[];
}

/** `role` instead of the configured one, and settings of the session that come last and win. */
export function connectionSettings(
  config: Config,
  { role = config.HOLDFAST_DATABASE_ROLE, session: own = [] }: SessionChoice = {},
): pg.ClientConfig {
  const session = [
    'timezone=UTC',
    `statement_timeout=${config.HOLDFAST_STATEMENT_TIMEOUT_MS}`,
    `lock_timeout=${config.HOLDFAST_LOCK_TIMEOUT_MS}`,
    'idle_in_transaction_session_timeout=5000',
    'jit=off',
    ...(role ? [`role=${role}`] : []),
    ...own,
  ];
  return {
    connectionString: config.DATABASE_URL,
    options: session.map((assignment) => `-c ${assignment}`).join(' '),
    types: TYPES,
    keepAlive: true,
    // A server that vanished silently must not block a caller forever.
    connectionTimeoutMillis: 5000,
    query_timeout: config.HOLDFAST_STATEMENT_TIMEOUT_MS + 5000,
  };
}

export function openPool(config: Config, log: Log, own: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({
    ...connectionSettings(config),
    Client: DatabaseClient,
    max: config.HOLDFAST_POOL_SIZE,
    connectionTimeoutMillis: config.HOLDFAST_POOL_WAIT_MS,
    idleTimeoutMillis: 30_000,
    ...own,
  });
  // Without these a lost connection would end the process instead of one request.
  pool.on('error', (error) => log.warn({ err: error }, 'database connection lost'));
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ err: error }, 'database connection lost'));
  });
  measurePoolWait(pool);
  return pool;
}

const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  NO_WRITABLE_HOST,
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53300',
  '08000',
  '08003',
  '08006',
]);

const READ_ONLY = '25006';
const DISK_FULL = '53100';

/**
 * True when the server refuses every write, as a standby does, a primary that was demoted, or one
 * with a full disk: nothing was done, and the connection is of no more use.
 */
export function areWritesRefused(error: unknown): boolean {
  const { code, message = '' } = error as { code?: string; message?: string };
  if (code === READ_ONLY || code === DISK_FULL) return true;
  // A standby has no name for a file of a log of its own, which the check of the history reads.
  if (code === '55000') return message === 'recovery is in progress';
  return code === '0A000' && message.includes('in a hot standby');
}

const RECOVERING_RETRY_SECONDS = 5;

/** What a write returns while the history of the database is closed. */
export function recovering(): Refusal {
  return new Refusal('RECOVERING', { retryAfter: RECOVERING_RETRY_SECONDS });
}

export function isRecovering(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'RECOVERING';
}

/** By a function of ours: the database was set back, and is not opened yet. Nothing was done. */
export function areWritesClosed(error: unknown): boolean {
  return (error as { code?: string }).code === WRITES_CLOSED;
}

const WRITES_CLOSED = 'HF002';

let isDiskFull = false;

/** A full disk still replies, so readiness has to know of the error. */
export const hasDiskBeenFull = () => isDiskFull;

export function setDiskFull(isFull: boolean): void {
  isDiskFull = isFull;
}

/** Another transaction held a row too long, or a statement took too long: nothing was done. */
const TOO_BUSY = new Set(['55P03', '57014']);

/** An unavailable or overloaded database is not a bug: the caller may retry. */
export function unavailable(error: unknown): Refusal | undefined {
  const refusal = (reason: string) => new Refusal('SERVICE_UNAVAILABLE', { reason, retryAfter: 1 });
  if ((error as { code?: string }).code === DISK_FULL) setDiskFull(true);
  if (areWritesClosed(error)) return recovering();
  if (isDatabaseAway(error)) return refusal('database unavailable');
  return isDatabaseBusy(error) ? refusal('database busy') : undefined;
}

function isDatabaseBusy(error: unknown): boolean {
  return TOO_BUSY.has((error as { code?: string }).code ?? '');
}

/**
 * True when PostgreSQL had ended the session, as it does when a paused process leaves a transaction
 * idle, before it read this statement: the transaction is rolled back, even at its commit.
 */
export function hasSessionEnded(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: string };
  return code === '25P03' || NOT_SENT.test(error.message);
}

/** By the driver, without sending anything. */
const NOT_SENT = /^Client has encountered a connection error and is not queryable$/;

/** True when the database could not be reached, takes no writes, or was lost during the query. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (hasSessionEnded(error) || areWritesRefused(error)) return true;
  const { code } = error as { code?: string };
  if (code !== undefined && AWAY.has(code)) return true;
  return /timeout exceeded when trying to connect|Query read timeout|timeout expired|Connection terminated/.test(
    error.message,
  );
}
