//! Writes down what was asked and answered: in batches, off the request's path. A queue that is
//! full drops and counts; nobody ever waits for it.
import { type Clock, instantText } from '@holdfast/kernel/clock';
import { newId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { AnsweredRequest, RequestNotes } from '../platform/answered-request.ts';
import type { RowNumber } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';

export interface RequestWriterParts {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Log;
}

interface Line {
  readonly marketplace_id: RowNumber;
  readonly id: string;
  readonly happened_at: string;
  readonly method: string;
  readonly route: string;
  readonly path: string;
  readonly status: number;
  readonly latency_ms: number;
  readonly actor_id: string;
  readonly request_id: string;
  readonly idempotency_key: string | null;
  readonly is_replay: boolean;
  readonly error_code: string | null;
}

const QUEUE_MAX = 10_000;
const BATCH_MAX = 500;
const WRITE_EVERY_MS = 500;
const PATH_MAX = 300;

export class RequestWriter implements RequestNotes {
  readonly #parts: RequestWriterParts;
  readonly #timer: NodeJS.Timeout;
  #queue: AnsweredRequest[] = [];
  #writing: Promise<void> = Promise.resolve();
  #written = 0;
  #dropped = 0;

  constructor(parts: RequestWriterParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.#write(), WRITE_EVERY_MS);
    this.#timer.unref();
  }

  /** All that it costs a request: a place in a list. */
  note(answered: AnsweredRequest): void {
    if (this.#queue.length < QUEUE_MAX) this.#queue.push(answered);
    else this.#dropped += 1;
  }

  /** Of this process. */
  get state(): { readonly written: number; readonly dropped: number; readonly waiting: number } {
    return { written: this.#written, dropped: this.#dropped, waiting: this.#queue.length };
  }

  /** Writes what waits now; for whoever is about to look, or to go. */
  async flush(): Promise<void> {
    this.#write();
    await this.#writing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  /** One batch after the other, on one connection: a log is not worth more of them. */
  #write(): void {
    this.#writing = this.#writing.then(async () => {
      while (this.#queue.length > 0) {
        const batch = this.#queue.slice(0, BATCH_MAX);
        this.#queue = this.#queue.slice(BATCH_MAX);
        if (!(await this.#send(batch))) return;
      }
    });
  }

  /** What can't be written is lost: repeating it would only fill the queue of a sick database. */
  async #send(batch: readonly AnsweredRequest[]): Promise<boolean> {
    try {
      await this.#parts.pool.query({
        name: 'log-requests',
        text: 'select work.log_requests($1)',
        values: [JSON.stringify(batch.map(lineOf))],
      });
      this.#written += batch.length;
      return true;
    } catch (error) {
      this.#dropped += batch.length;
      this.#parts.log.warn({ count: batch.length, reason: (error as Error).message }, 'miss log');
      return false;
    }
  }
}

function lineOf(answered: AnsweredRequest): Line {
  return {
    marketplace_id: answered.marketplace,
    id: newId('req'),
    happened_at: instantText(answered.at),
    method: answered.method,
    route: answered.route,
    path: answered.path.slice(0, PATH_MAX),
    status: answered.status,
    latency_ms: answered.latencyMs,
    actor_id: answered.actorId,
    request_id: answered.requestId,
    idempotency_key: answered.idempotencyKey,
    is_replay: answered.isReplay,
    error_code: answered.errorCode,
  };
}
