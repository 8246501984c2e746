//! Group commit: whatever waits when a connection is free goes out as one call and one commit.
//!
//! Nobody waits for a timer: alone, a request goes at once; under load, the next batch gathers
//! while the last one commits. Each request gets its own outcome. When a connection is lost in
//! mid-batch, the queue finds out what was committed before anything is sent again.
import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '@holdfast/contract/errors';
import { type Clock, type Instant, instantText } from '@holdfast/kernel/clock';
import { newId } from '@holdfast/kernel/ids';
import pg from 'pg';
import { backOff } from '../platform/backoff.ts';
import { isDatabaseAway, type RowNumber } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { Posted, Posting, PostingRefusal } from './posting.ts';
import { batchArguments, POST_BATCH, type QueuedPosting } from './posting-batch.ts';

export interface PostingQueueSettings {
  readonly connection: pg.ClientConfig;
  readonly connections: number;
  readonly batchMax: number;
  readonly queueMax: number;
  /** Limit on a marketplace's credits where no operator set one; null for none. */
  readonly defaultLimit: bigint | null;
  readonly clock: Clock;
  readonly log: Log;
}

interface Waiting extends QueuedPosting {
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

export class PostingQueue {
  readonly #settings: PostingQueueSettings;
  readonly #waiting: Waiting[] = [];
  readonly #inFlight = new Set<string>();
  readonly #idle: Writer[] = [];
  #isScheduled = false;
  #isClosed = false;
  #running = 0;
  #drained: (() => void) | undefined;

  constructor(settings: PostingQueueSettings) {
    this.#settings = settings;
    for (let at = 0; at < settings.connections; at += 1) this.#idle.push(new Writer(settings));
  }

  /** Posts one request. Refuses at once when a twin with the same Idempotency-Key is on its way. */
  post(posting: Posting): Promise<Posted> {
    const { scopeHash } = posting;
    if (this.#isClosed || this.#waiting.length >= this.#settings.queueMax) {
      return Promise.reject(
        new Refusal('SERVICE_UNAVAILABLE', { reason: 'too much is waiting', retryAfter: 1 }),
      );
    }
    if (scopeHash !== null) {
      if (this.#inFlight.has(scopeHash)) {
        return Promise.reject(new Refusal('IDEMPOTENCY_KEY_IN_PROGRESS', {}));
      }
      this.#inFlight.add(scopeHash);
    }
    return new Promise((settle, fail) => {
      this.#waiting.push({
        ...posting,
        auditId: newId('aud'),
        reservationId: posting.kind === 'reserve' ? newId('rsv') : null,
        settle,
        fail,
      });
      this.#schedule();
    });
  }

  /** Takes nothing new, ends what waits, closes the connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#running > 0 || this.#waiting.length > 0) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
    }
    await Promise.all(this.#idle.map((writer) => writer.close()));
  }

  /** At the end of this turn of the event loop, so that requests read together travel together. */
  #schedule(): void {
    if (this.#isScheduled || this.#idle.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      while (this.#idle.length > 0 && this.#waiting.length > 0) {
        void this.#run(
          this.#idle.pop() as Writer,
          this.#waiting.splice(0, this.#settings.batchMax),
        );
      }
    });
  }

  /** What must pick among holds goes apart, so that the others can go the short way. */
  async #run(writer: Writer, batch: Waiting[]): Promise<void> {
    this.#running += 1;
    const [together, apart] = [batch.filter(isSetBased), batch.filter((each) => !isSetBased(each))];
    for (const group of [together, apart]) if (group.length > 0) await this.#write(writer, group);
    this.#idle.push(writer);
    this.#running -= 1;
    if (this.#waiting.length > 0) this.#schedule();
    else if (this.#running === 0) this.#drained?.();
  }

  async #write(writer: Writer, batch: Waiting[]): Promise<void> {
    try {
      await writer.write(batch);
    } catch (error) {
      const reason = (error as Error).message;
      this.#settings.log.error({ reason, postings: batch.length }, 'fail batch');
      for (const posting of batch) posting.fail(error as Error);
    }
    for (const { scopeHash } of batch) if (scopeHash !== null) this.#inFlight.delete(scopeHash);
  }
}

/** One connection that posts. Reconnects by itself and settles what a lost one left open. */
class Writer {
  readonly #settings: PostingQueueSettings;
  #client: pg.Client | undefined;
  #backend: { pid: number; started: string } | undefined;

  constructor(settings: PostingQueueSettings) {
    this.#settings = settings;
  }

  async close(): Promise<void> {
    await this.#client?.end().catch(() => undefined);
  }

  /** Settles every posting of the batch, or throws with none of them settled. */
  async write(batch: readonly Waiting[]): Promise<void> {
    let open = batch;
    const deadline = this.#settings.clock.now() + RECOVERY_MS_MAX;
    for (let attempt = 1; ; attempt += 1) {
      const at = this.#settings.clock.now();
      try {
        const client = await this.#connected();
        settle(open, await this.#send(client, open, at, isExact(open, attempt)), at);
        return;
      } catch (error) {
        const { code } = error as { code?: string };
        const isRetryable = code !== undefined && RETRYABLE.has(code) && attempt < ATTEMPTS_MAX;
        if (isDatabaseAway(error)) open = await this.#recover(open, at, deadline);
        else if (!isRetryable) throw error;
        if (open.length === 0) return;
        await backOff(attempt);
      }
    }
  }

  async #send(
    client: pg.Client,
    batch: readonly Waiting[],
    at: Instant,
    exact: boolean,
  ): Promise<OutcomeRow[]> {
    const values = batchArguments(batch, instantText(at), this.#settings.defaultLimit, exact);
    const { rows } = await client.query<OutcomeRow>({ ...POST_BATCH, values, rowMode: 'array' });
    return rows;
  }

  async #connected(): Promise<pg.Client> {
    if (this.#client !== undefined) return this.#client;
    const client = new pg.Client(this.#settings.connection);
    client.on('error', () => {
      if (this.#client === client) this.#client = undefined;
    });
    client.on('end', () => {
      if (this.#client === client) this.#client = undefined;
    });
    await client.connect();
    const { rows } = await client.query<{ pid: number; started: string }>(
      'select pid, backend_start::text as started from pg_stat_activity where pid = pg_backend_pid()',
    );
    this.#client = client;
    this.#backend = rows[0];
    return client;
  }

  /** Finds out what the lost connection committed. Returns what was not, and may be sent again. */
  async #recover(
    batch: readonly Waiting[],
    at: Instant,
    deadline: Instant,
  ): Promise<readonly Waiting[]> {
    const lost = this.#backend;
    await this.#client?.end().catch(() => undefined);
    this.#client = undefined;
    this.#settings.log.warn({ postings: batch.length }, 'recover batch');
    for (;;) {
      try {
        const client = await this.#connected();
        await waitUntilGone(client, lost);
        const { rows } = await client.query<OutcomeRow>({
          text: 'select * from books.find_posted($1, $2)',
          values: [
            batch.map((posting) => posting.marketplace),
            batch.map((posting) => posting.auditId),
          ],
          rowMode: 'array',
        });
        settle(batch, rows, at);
        const found = new Set(rows.map(([item]) => item));
        return batch.filter((_, index) => !found.has(index + 1));
      } catch (error) {
        this.#client = undefined;
        if (!isDatabaseAway(error) || this.#settings.clock.now() > deadline) {
          throw new Refusal('SERVICE_UNAVAILABLE', {
            reason: 'the database is away; the outcome is open',
            retryAfter: 2,
          });
        }
        await sleep(100);
      }
    }
  }
}

/** A cut connection may leave its backend at work: it must be gone before we look. */
async function waitUntilGone(
  client: pg.Client,
  lost: { pid: number; started: string } | undefined,
): Promise<void> {
  if (lost === undefined) return;
  for (let tries = 0; tries < 50; tries += 1) {
    const { rows } = await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and backend_start = $2::timestamptz`,
      [lost.pid, lost.started],
    );
    if (rows.length === 0) return;
    await sleep(50);
  }
  throw new Error('the backend of a lost connection would not end');
}

function isSetBased({ kind }: Posting): boolean {
  return kind === 'credit' || kind === 'debit' || kind === 'reserve';
}

/** Alone, or after a collision, a request is decided exactly: set-based pays off from three on. */
function isExact(batch: readonly Waiting[], attempt: number): boolean {
  return batch.length < 3 || attempt > 1;
}

function settle(batch: readonly Waiting[], rows: readonly OutcomeRow[], at: Instant): void {
  for (const row of rows) (batch[row[0] - 1] as Waiting).settle(readOutcome(row, at));
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
