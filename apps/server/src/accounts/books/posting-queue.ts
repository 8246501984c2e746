//! Group commit: all postings that wait when a connection is free go out as one call and one
//! commit.
//!
//! No request waits for a timer. Alone, a request goes at once; under load, the next batch gathers
//! while the last one commits. Each request gets its own outcome. When a connection is lost in
//! mid-batch, the queue finds out what was committed before it sends anything again.
import { Refusal } from '@holdfast/contract/errors';
import { newId } from '@holdfast/kernel/ids';
import { unavailable } from '../../platform/database/database.ts';
import { observe } from '../../platform/telemetry/metrics.ts';
import { type Span, startSpan } from '../../platform/telemetry/spans.ts';
import { currentTrace } from '../../platform/telemetry/trace.ts';
import type { Posted, Posting } from './posting.ts';
import {
  type PendingPosting,
  PostingWriter,
  type PostingWriterSettings,
} from './posting-writer.ts';

export interface PostingQueueSettings extends PostingWriterSettings {
  readonly connections: number;
  readonly batchMax: number;
  readonly queueMax: number;
}

export class PostingQueue {
  readonly #settings: PostingQueueSettings;
  readonly #waiting: PendingPosting[] = [];
  readonly #inFlight = new Set<string>();
  readonly #idle: PostingWriter[] = [];
  #isScheduled = false;
  #isClosed = false;
  #running = 0;
  #drained: (() => void) | undefined;

  constructor(settings: PostingQueueSettings) {
    this.#settings = settings;
    for (let at = 0; at < settings.connections; at += 1)
      this.#idle.push(new PostingWriter(settings));
  }

  /** Posts one request. Refuses at once when a twin with the same Idempotency-Key is on its way. */
  post(posting: Posting): Promise<Posted> {
    const { scopeHash } = posting;
    if (this.#isClosed || this.#waiting.length >= this.#settings.queueMax) {
      return Promise.reject(
        new Refusal('SERVICE_UNAVAILABLE', { reason: 'the posting queue is full', retryAfter: 1 }),
      );
    }
    if (scopeHash !== null) {
      if (this.#inFlight.has(scopeHash)) {
        return Promise.reject(new Refusal('IDEMPOTENCY_KEY_IN_PROGRESS', {}));
      }
      this.#inFlight.add(scopeHash);
    }
    const now = this.#settings.clock.now();
    return new Promise((settle, fail) => {
      this.#waiting.push({
        ...posting,
        auditId: newId('aud', now),
        reservationId: posting.kind === 'reserve' ? newId('rsv', now) : null,
        trace: currentTrace(),
        settle,
        fail,
      });
      this.#schedule();
    });
  }

  /** Stops accepting postings, drains the queue, closes the connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#running > 0 || this.#waiting.length > 0) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
    }
    await Promise.all(this.#idle.map((writer) => writer.close()));
  }

  /** At the end of this turn of the event loop, so that requests read together share a batch. */
  #schedule(): void {
    if (this.#isScheduled || this.#idle.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      while (this.#idle.length > 0 && this.#waiting.length > 0) {
        void this.#run(
          this.#idle.pop() as PostingWriter,
          this.#waiting.splice(0, this.#settings.batchMax),
        );
      }
    });
  }

  /**
   * Postings that choose among holds go in their own batch, so that the others can take the fast
   * path.
   */
  async #run(writer: PostingWriter, batch: PendingPosting[]): Promise<void> {
    this.#running += 1;
    const [together, apart] = [batch.filter(isSetBased), batch.filter((each) => !isSetBased(each))];
    for (const group of [together, apart]) if (group.length > 0) await this.#write(writer, group);
    this.#idle.push(writer);
    this.#running -= 1;
    if (this.#waiting.length > 0) this.#schedule();
    else if (this.#running === 0) this.#drained?.();
  }

  async #write(writer: PostingWriter, batch: PendingPosting[]): Promise<void> {
    const span = startBatchSpan(batch);
    observe('holdfast_posting_batch_size', batch.length, {});
    try {
      await writer.write(batch);
      span?.end();
    } catch (error) {
      span?.end({}, error as Error);
      await this.#fail(writer, batch, error as Error);
    }
    for (const { scopeHash } of batch) if (scopeHash !== null) this.#inFlight.delete(scopeHash);
  }

  /** A failed batch has no effect; one by one, all but the faulty posting succeed. */
  async #fail(writer: PostingWriter, batch: PendingPosting[], error: Error): Promise<void> {
    this.#settings.log.error({ err: error, postings: batch.length }, 'posting batch failed');
    if (batch.length > 1 && !(error instanceof Refusal)) {
      for (const posting of batch) await this.#write(writer, [posting]);
      return;
    }
    const failure = unavailable(error) ?? error;
    for (const posting of batch) posting.fail(failure);
  }
}

/** A batch is part of the first sampled trace in it, and linked to the others. */
function startBatchSpan(batch: readonly PendingPosting[]): Span | undefined {
  const [first, ...links] = batch.flatMap(({ trace }) => (trace?.isSampled ? [trace] : []));
  if (first === undefined) return undefined;
  const attributes = { 'holdfast.postings': batch.length };
  return startSpan({ name: 'posting batch', attributes, links }, first);
}

function isSetBased({ kind }: Posting): boolean {
  return kind === 'credit' || kind === 'debit' || kind === 'reserve';
}
