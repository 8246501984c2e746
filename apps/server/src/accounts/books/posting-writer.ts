//! A connection that posts: it sends batches, returns each request its outcome, and recovers from a
//! lost connection.
import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '@holdfast/contract/errors';
import { type Clock, type Instant, instantText } from '@holdfast/kernel/clock';
import { randomBytes } from '@holdfast/kernel/random';
import type pg from 'pg';
import { backOff } from '../../platform/backoff.ts';
import {
  areWritesClosed,
  areWritesRefused,
  isDatabaseAway,
  type RowNumber,
  unavailable,
} from '../../platform/database/database.ts';
import { DatabaseClient } from '../../platform/database/database-client.ts';
import { WRITE_OF_ITS_OWN } from '../../platform/database/durable.ts';
import type { Log } from '../../platform/process/log.ts';
import type { Trace } from '../../platform/telemetry/trace.ts';
import type { Posted, PostingRefusal } from './posting.ts';
import { batchArguments, POST_BATCH, type QueuedPosting } from './posting-batch.ts';

export interface PostingWriterSettings {
  readonly connection: pg.ClientConfig;
  /** Limit on a marketplace's credits where no operator set one; null for none. */
  readonly defaultLimit: bigint | null;
  readonly clock: Clock;
  readonly log: Log;
}

export interface PendingPosting extends QueuedPosting {
  /** Of the request that waits for it. */
  readonly trace: Trace | undefined;
  readonly settle: (posted: Posted) => void;
  readonly fail: (error: Error) => void;
}

/** Row of books.outcome, as an array of text. */
type OutcomeRow = [
  item: number,
  result: Posted['result'],
  entryId: string | null,
  available: string | null,
  reserved: string | null,
  refusal: string | null,
  have: string | null,
  reason: string | null,
  requestHash: string | null,
];

const ATTEMPTS_MAX = 5;
const RECOVERY_MS_MAX = 10_000;
const RETRYABLE = new Set(['HF001', '40001', '40P01']);
const OUTCOME_OPEN = 'database unavailable; outcome unknown';

function outcomeOpen(): Refusal {
  return new Refusal('SERVICE_UNAVAILABLE', { reason: OUTCOME_OPEN, retryAfter: 2 });
}

/**
 * One connection that posts. Reconnects by itself and settles the batch that a lost one left open.
 */
export class PostingWriter {
  readonly #settings: PostingWriterSettings;
  #client: pg.Client | undefined;
  #backend: Backend | undefined;

  constructor(settings: PostingWriterSettings) {
    this.#settings = settings;
  }

  async close(): Promise<void> {
    await this.#client?.end().catch(() => undefined);
  }

  /** Settles every posting of the batch, or throws with none of them settled. */
  async write(batch: readonly PendingPosting[]): Promise<void> {
    let open = batch;
    const deadline = this.#settings.clock.now() + RECOVERY_MS_MAX;
    for (let attempt = 1; ; attempt += 1) {
      const at = this.#settings.clock.now();
      try {
        const client = await this.#connected();
        settle(open, await this.#send(client, open, at, isOneByOne(open, attempt)), at);
        return;
      } catch (error) {
        const { code } = error as { code?: string };
        const isRetryable = code !== undefined && RETRYABLE.has(code) && attempt < ATTEMPTS_MAX;
        if (areWritesRefused(error) || areWritesClosed(error)) throw this.#refused(error, attempt);
        if (isDatabaseAway(error)) open = await this.#recover(open, at, deadline);
        else if (!isRetryable) throw error;
        if (open.length === 0) return;
        await backOff(attempt);
      }
    }
  }

  /**
   * This attempt did nothing; an earlier one may have, on another host. The next batch may find a
   * host that takes writes.
   */
  #refused(error: unknown, attempt: number): Error {
    this.#drop();
    const refusal = unavailable(error) ?? (error as Error);
    return attempt === 1 ? refusal : outcomeOpen();
  }

  #drop(): void {
    // Not awaited: a lost connection may never close cleanly.
    void this.#client?.end().catch(() => undefined);
    this.#client = undefined;
  }

  async #send(
    client: pg.Client,
    batch: readonly PendingPosting[],
    at: Instant,
    oneByOne: boolean,
  ): Promise<OutcomeRow[]> {
    const values = batchArguments(batch, instantText(at), this.#settings.defaultLimit, oneByOne);
    const { rows } = await client.query<OutcomeRow>({ ...POST_BATCH, values, rowMode: 'array' });
    return rows;
  }

  async #connected(): Promise<pg.Client> {
    if (this.#client !== undefined) return this.#client;
    const client = new DatabaseClient(this.#settings.connection);
    client.on('error', () => {
      if (this.#client === client) this.#client = undefined;
    });
    client.on('end', () => {
      if (this.#client === client) this.#client = undefined;
    });
    // Held by this session until its backend is gone; recovery waits for that.
    const lock = BigInt.asIntN(64, Buffer.from(randomBytes(8)).readBigUInt64BE()).toString();
    const lockIt = 'select pg_backend_pid() as pid from (select pg_advisory_lock($1)) held';
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(lockIt, [lock]).catch((error: unknown) => {
      // Of a host that hangs: the session would stay when the host continues.
      void client.end().catch(() => undefined);
      throw error;
    });
    this.#client = client;
    this.#backend = { pid: rows[0]?.pid ?? 0, lock };
    return client;
  }

  /**
   * Finds out which postings the lost connection committed. Returns the others, which may be sent
   * again.
   */
  async #recover(
    batch: readonly PendingPosting[],
    at: Instant,
    deadline: Instant,
  ): Promise<readonly PendingPosting[]> {
    const lost = this.#backend;
    this.#drop();
    this.#settings.log.warn({ postings: batch.length }, 'posting batch recovery started');
    for (;;) {
      try {
        const client = await this.#connected();
        await waitUntilGone(client, lost, deadline - this.#settings.clock.now());
        const { rows } = await client.query<OutcomeRow>({
          text: 'select * from books.find_posted($1, $2)',
          values: [
            batch.map((posting) => posting.marketplace),
            batch.map((posting) => posting.auditId),
          ],
          rowMode: 'array',
        });
        if (rows.length > 0) await confirmDurable(client, deadline - this.#settings.clock.now());
        settle(batch, rows, at);
        const found = new Set(rows.map(([item]) => item));
        return batch.filter((_, index) => !found.has(index + 1));
      } catch (error) {
        this.#drop();
        if (!isDatabaseAway(error) || this.#settings.clock.now() > deadline) {
          throw outcomeOpen();
        }
        await sleep(100);
      }
    }
  }
}

interface Backend {
  readonly pid: number;
  readonly lock: string;
}

const GONE_POLL_MS = 100;
/** Where the deadline is over or near: enough for a backend that ends at once. */
const RECOVERY_MS_MIN = 1000;

const TERMINATE = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where pid = $1 and wait_event is distinct from 'SyncRep'`;

/** So that what was found may be acknowledged. */
async function confirmDurable(client: pg.Client, msLeft: number): Promise<void> {
  await client.query({
    text: WRITE_OF_ITS_OWN.text,
    query_timeout: Math.max(RECOVERY_MS_MIN, msLeft),
  } as pg.QueryConfig);
}

/** A lost connection may leave its backend at work: it must be gone before the check. */
async function waitUntilGone(
  client: pg.Client,
  lost: Backend | undefined,
  msLeft: number,
): Promise<void> {
  if (lost === undefined) return;
  const until = performance.now() + Math.max(RECOVERY_MS_MIN, msLeft);
  while (performance.now() < until) {
    const { rows } = await client.query<{ gone: boolean }>(
      'select pg_try_advisory_lock($1) as gone',
      [lost.lock],
    );
    if (rows[0]?.gone === true) {
      await client.query('select pg_advisory_unlock($1)', [lost.lock]);
      return;
    }
    // Not one that waits for its standby: it would then have committed on this server alone. Not
    // allowed everywhere; the backend then ends by its own time-outs.
    await client.query(TERMINATE, [lost.pid]).catch(() => undefined);
    await sleep(GONE_POLL_MS);
  }
  throw outcomeOpen();
}

/**
 * A batch after a collision, or of one or two requests: posting together pays off from three on.
 */
function isOneByOne(batch: readonly PendingPosting[], attempt: number): boolean {
  return batch.length < 3 || attempt > 1;
}

function settle(batch: readonly PendingPosting[], rows: readonly OutcomeRow[], at: Instant): void {
  for (const row of rows) (batch[row[0] - 1] as PendingPosting).settle(readOutcome(row, at));
}

function readOutcome(row: OutcomeRow, at: Instant): Posted {
  const [, result, entryId, available, reserved, refusal, have, reason, requestHash] = row;
  const why = { have: BigInt(have ?? 0), reason };
  switch (result) {
    case 'done':
      return {
        result,
        entryId: entryId as RowNumber,
        available: BigInt(available as string),
        reserved: BigInt(reserved as string),
        at,
      };
    case 'refused':
      return { result, refusal: refusal as PostingRefusal, ...why };
    case 'replayed':
      return {
        result,
        requestHash: requestHash as string,
        entryId,
        refusal: refusal as PostingRefusal | null,
        ...why,
      };
    case 'repeated':
      return { result, requestHash: requestHash as string, entryId: entryId as RowNumber };
  }
}
