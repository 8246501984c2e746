//! Writes requests and responses to the request log: in batches, off the request's path. A full
//! queue drops and counts; no request ever waits for it.
import { type Clock, instantText } from '@holdfast/kernel/clock';
import { newId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { CompletedRequest, RequestLog } from '../../platform/completed-request.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Log } from '../../platform/process/log.ts';

export interface RequestWriterDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Log;
}

interface Line {
  readonly marketplace_id: RowNumber;
  readonly id: string;
  readonly occurred_at: string;
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
  readonly address: string | null;
  readonly user_agent: string | null;
}

const QUEUE_MAX = 10_000;
const BATCH_MAX = 500;
const WRITE_EVERY_MS = 500;
const PATH_MAX = 300;

export class RequestWriter implements RequestLog {
  readonly #deps: RequestWriterDeps;
  readonly #timer: NodeJS.Timeout;
  #queue: CompletedRequest[] = [];
  #writing: Promise<void> = Promise.resolve();
  #written = 0;
  #dropped = 0;

  constructor(deps: RequestWriterDeps) {
    this.#deps = deps;
    this.#timer = setInterval(() => this.#write(), WRITE_EVERY_MS);
    this.#timer.unref();
  }

  /** The whole cost for a request: one entry in a list. */
  record(request: CompletedRequest): void {
    if (this.#queue.length < QUEUE_MAX) this.#queue.push(request);
    else this.#dropped += 1;
  }

  /** Of this process. */
  get state(): { readonly written: number; readonly dropped: number; readonly waiting: number } {
    return { written: this.#written, dropped: this.#dropped, waiting: this.#queue.length };
  }

  /** Writes all queued rows now; for a reader that follows, or for a shutdown. */
  async flush(): Promise<void> {
    this.#write();
    await this.#writing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  /** One batch after the other, on one connection: a log deserves no more. */
  #write(): void {
    this.#writing = this.#writing.then(async () => {
      while (this.#queue.length > 0) {
        const batch = this.#queue.slice(0, BATCH_MAX);
        this.#queue = this.#queue.slice(BATCH_MAX);
        if (!(await this.#send(batch))) return;
      }
    });
  }

  /** A failed batch is lost: repeating it would only fill the queue while the database is down. */
  async #send(batch: readonly CompletedRequest[]): Promise<boolean> {
    try {
      await this.#deps.pool.query({
        name: 'log-requests',
        text: 'select work.log_requests($1)',
        values: [JSON.stringify(batch.map(lineOf))],
      });
      this.#written += batch.length;
      return true;
    } catch (error) {
      this.#dropped += batch.length;
      this.#deps.log.warn({ count: batch.length, err: error }, 'request log not written');
      return false;
    }
  }
}

function lineOf(request: CompletedRequest): Line {
  return {
    marketplace_id: request.marketplace,
    id: newId('req', request.at),
    occurred_at: instantText(request.at),
    method: request.method,
    route: request.route,
    path: request.path.slice(0, PATH_MAX),
    status: request.status,
    latency_ms: request.latencyMs,
    actor_id: request.actorId,
    request_id: request.requestId,
    idempotency_key: request.idempotencyKey,
    is_replay: request.isReplay,
    error_code: request.errorCode,
    address: request.address,
    user_agent: request.userAgent,
  };
}
