//! One lease of a lane: sends the events after its cursor, one after the other, and stores its
//! position. The cursor passes only events that got a 2xx response, or are not subscribed to.
import { TEST_EVENT_TYPE } from '@holdfast/contract/records/webhook-records';
import { instantText, microsText, systemClock } from '@holdfast/kernel/clock';
import { type EventId, microsOf } from '@holdfast/kernel/ids';
import { jitteredMs } from '../../platform/backoff.ts';
import type { Call, SystemActor } from '../../platform/call.ts';
import { type Tx, transact } from '../../platform/database/transact.ts';
import { measureDelivery } from '../../platform/telemetry/measure-delivery.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import type { LogPosition } from '../../record/events/event-log.ts';
import type { Feed } from '../../record/events/feed.ts';
import { type Attempt, type Attempted, recordAttempts } from './delivery.ts';
import type { Exchange } from './egress.ts';
import type { WebhookEndpoint } from './endpoint.ts';
import { typesOf } from './event-patterns.ts';
import { type Lane, leaveLane, moveLane, postponeLane, renewLease } from './lane.ts';
import { stopSending } from './pause-webhook-endpoint.ts';
import { listPendingEvents, type PendingEvent, waitForGrowth } from './pending-event.ts';
import { signatureOf } from './signing-secret.ts';
import type { WebhookApp } from './webhook-app.ts';

/**
 * `again`: run once more after a while. `over`: the dispatcher starts a new lease for more work.
 */
export type LaneResult =
  | { readonly kind: 'again'; readonly inMs: number }
  | { readonly kind: 'over' };

const OVER: LaneResult = { kind: 'over' };

/** Then another worker may take it: no worker holds a lane for good. */
const RUN_MS_MAX = 15_000;
/** How long a lease that has caught up waits for more. */
const LINGER_MS = 1000;
/** At most this many are sent again when the worker dies. */
const UNWRITTEN_MAX = 20;
const UNWRITTEN_MS_MAX = 250;
const FIRST_WAIT_MS = 200;
const WAIT_MS_MAX = 300_000;
const GONE = 410;

/** A fifth of a second, two fifths, four … five minutes, give or take a fifth. */
export function laneWaitMs(failures: number): number {
  return jitteredMs(Math.min(WAIT_MS_MAX, FIRST_WAIT_MS * 2 ** Math.min(failures, 20)));
}

export interface LaneRunDeps {
  readonly lane: Lane;
  readonly endpoint: WebhookEndpoint;
  /** The newest first. The second signs until its time. */
  readonly secrets: readonly Uint8Array[];
  /** Aborted when no new request may start. */
  readonly stopping: AbortSignal;
  /** Aborted when requests in flight must end, too. */
  readonly signal: AbortSignal;
}

export class LaneRun {
  readonly #app: WebhookApp;
  readonly #call: Call<SystemActor>;
  readonly #lane: Lane;
  readonly #endpoint: WebhookEndpoint;
  readonly #secrets: readonly Uint8Array[];
  readonly #stopping: AbortSignal;
  readonly #signal: AbortSignal;
  readonly #endsAt = performance.now() + RUN_MS_MAX;
  #logPosition: LogPosition;
  #writtenTo: number;
  /** The time of the oldest unwritten result. */
  #unwrittenSince: number | undefined;
  #unwritten: Attempted[] = [];
  #failures: number;

  constructor(app: WebhookApp, call: Call<SystemActor>, deps: LaneRunDeps) {
    this.#app = { ...app, fence: (tx: Tx) => renewLease(tx, deps.lane) };
    this.#call = call;
    this.#lane = deps.lane;
    this.#endpoint = deps.endpoint;
    this.#secrets = deps.secrets;
    this.#stopping = deps.stopping;
    this.#signal = deps.signal;
    this.#logPosition = deps.lane.logPosition;
    this.#writtenTo = deps.lane.logPosition.position;
    this.#failures = deps.lane.failures;
  }

  /** Renews the lease; throws when it was lost. */
  heartbeat(): Promise<void> {
    return this.#write(async () => undefined);
  }

  /** Sends the log up to its end, or up to a failure of the endpoint. */
  async deliver(feed: Feed): Promise<LaneResult> {
    const types = typesOf(this.#endpoint.types);
    while (!this.#isEnded()) {
      const pending = await listPendingEvents(feed, this.#logPosition, types);
      if (pending === 'gone') {
        await this.#passOver(feed.end);
        continue;
      }
      if (pending.length === 0 && !(await this.#awaitMore(feed))) break;
      if (pending[0] !== undefined) await this.#noteGap(pending[0]);
      for (const each of pending) {
        if (this.#isEnded()) break;
        const failed = each.body === null ? undefined : await this.#sendOne(each, each.body);
        if (failed !== undefined) return failed;
        this.#logPosition = { position: each.position, occurredAt: each.occurredAt };
        await this.#flushAtTimes();
      }
    }
    const isDone = this.#isAtEnd();
    await this.#flush((tx) => leaveLane(tx, this.#lane, isDone ? 'DONE' : 'OPEN'));
    return OVER;
  }

  /** One message that is no event, once. */
  async sendTest(): Promise<LaneResult> {
    const { testEventId, correlationId, marketplaceId, endpointId } = this.#lane;
    const eventId = testEventId as EventId;
    const envelope = {
      eventId,
      eventType: TEST_EVENT_TYPE,
      occurredAt: microsText(microsOf(eventId)),
      aggregateId: endpointId,
      aggregateType: 'WebhookEndpoint',
      payload: { webhookEndpointId: endpointId },
      metadata: { correlationId, marketplaceId },
    };
    const body = Buffer.from(JSON.stringify(envelope));
    const exchange = await this.#post(eventId, body);
    if (this.#signal.aborted) return this.#giveBack();
    const isGood = exchange.reason === null;
    const outcome = isGood ? 'DELIVERED' : 'FAILED';
    const attempt = this.#attemptOf(exchange);
    await this.#write(async (tx) => {
      const eventType = TEST_EVENT_TYPE;
      await recordAttempts(tx, this.#lane, [{ eventId, eventType, outcome, attempt }]);
      await leaveLane(tx, this.#lane, isGood ? 'DONE' : 'FAILED');
    });
    return OVER;
  }

  /** After an unexpected error: retries later, perhaps with another build. */
  async postpone(): Promise<LaneResult> {
    const inMs = laneWaitMs(this.#failures);
    await this.#write((tx) => postponeLane(tx, this.#lane, tx.now + inMs));
    return { kind: 'again', inMs };
  }

  #isAtEnd(): boolean {
    const { untilPosition } = this.#lane;
    return untilPosition !== null && this.#logPosition.position >= untilPosition;
  }

  #isEnded(): boolean {
    return this.#stopping.aborted || this.#isAtEnd() || performance.now() > this.#endsAt;
  }

  /** Events that come right away are written together with those sent before. */
  async #awaitMore(feed: Feed): Promise<boolean> {
    if (await waitForGrowth(feed, this.#logPosition, UNWRITTEN_MS_MAX, this.#stopping)) return true;
    await this.#flush();
    return waitForGrowth(feed, this.#logPosition, LINGER_MS, this.#stopping);
  }

  /** Undefined when it was delivered. */
  async #sendOne(event: PendingEvent, body: Buffer): Promise<LaneResult | undefined> {
    const exchange = await this.#post(event.id, body);
    // A request aborted by this worker is not the endpoint's fault.
    if (exchange.status === null && this.#signal.aborted) return this.#giveBack();
    const { id: eventId, type: eventType } = event;
    const attempt = this.#attemptOf(exchange);
    if (exchange.reason !== null) return this.#fail({ eventId, eventType, attempt });
    this.#unwritten.push({ eventId, eventType, outcome: 'DELIVERED', attempt });
    if (this.#lane.kind === 'LIVE')
      measureDelivery('webhook', event.occurredAt, this.#app.clock.now());
    this.#failures = 0;
    return undefined;
  }

  async #post(id: EventId, body: Buffer): Promise<Exchange> {
    // The receiver compares it with its own clock, even when the sandbox's clock differs.
    const timestamp = String(Math.floor(systemClock.now() / 1000));
    const { oldSecretUntil } = this.#endpoint;
    const isOver = oldSecretUntil !== null && oldSecretUntil <= this.#app.clock.now();
    const secrets = isOver ? this.#secrets.slice(0, 1) : this.#secrets;
    const headers = {
      'content-type': 'application/json',
      'user-agent': `Holdfast-Webhooks/${this.#app.version}`,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatureOf(secrets, id, timestamp, body),
    };
    const { id: webhookEndpointId, url } = this.#endpoint;
    const exchange = await this.#app.webhooks.egress.post(url, headers, body, this.#signal);
    const { detail } = exchange;
    if (detail !== null) this.#app.log.info({ webhookEndpointId, detail }, 'webhook not delivered');
    return exchange;
  }

  async #fail(failed: Omit<Attempted, 'outcome'>): Promise<LaneResult> {
    const inMs = laneWaitMs(this.#failures);
    const { attempt } = failed;
    const why = attempt.reason ?? '';
    const isGone = attempt.status === GONE;
    const isHopeless = isGone || this.#isPastBudget();
    const isLive = this.#lane.kind === 'LIVE';
    const outcome = isHopeless && !isLive ? 'FAILED' : 'PENDING';
    let isPaused = false;
    this.#unwritten.push({ ...failed, outcome });
    await this.#flush(async (tx) => {
      await postponeLane(tx, this.#lane, tx.now + inMs);
      if (!isHopeless) return;
      const cause = isGone ? 'GONE' : 'KEEPS_FAILING';
      if (isLive) isPaused = await stopSending(tx, this.#endpoint, cause, pauseReason(cause, why));
      else await leaveLane(tx, this.#lane, 'FAILED');
    });
    const { id: webhookEndpointId, url } = this.#endpoint;
    if (isPaused)
      this.#app.log.error({ webhookEndpointId, url, reason: why }, 'webhook endpoint paused');
    return isHopeless ? OVER : { kind: 'again', inMs };
  }

  #isPastBudget(): boolean {
    const { failingSince } = this.#lane;
    const budgetMs = this.#app.config.HOLDFAST_WEBHOOK_RETRY_SECONDS * 1000;
    if (failingSince === null || this.#failures === 0) return false;
    return this.#app.clock.now() - failingSince >= budgetMs;
  }

  #attemptOf({ status, latencyMs, response, reason }: Exchange): Attempt {
    return { at: instantText(this.#app.clock.now()), status, latencyMs, response, reason };
  }

  /** Months of the log may have been dropped while the endpoint was paused or failed. */
  async #noteGap(first: LogPosition): Promise<void> {
    const events = first.position - this.#logPosition.position - 1;
    if (events === 0) return;
    const { id: webhookEndpointId } = this.#endpoint;
    this.#app.log.error({ webhookEndpointId, events }, 'events skipped past retention');
    const after = { events, since: this.#logPosition.occurredAt, goesOnAt: first.occurredAt };
    await this.#write((tx) =>
      audit(tx, {
        action: 'WEBHOOK_EVENTS_MISSED',
        resourceId: webhookEndpointId,
        result: 'FAILURE',
        after,
      }),
    );
  }

  async #passOver(end: LogPosition): Promise<void> {
    await this.#noteGap({ position: end.position + 1, occurredAt: end.occurredAt });
    this.#logPosition = { position: end.position, occurredAt: end.occurredAt };
    await this.#flush();
  }

  async #giveBack(): Promise<LaneResult> {
    await this.#flush((tx) => leaveLane(tx, this.#lane, 'OPEN'));
    return OVER;
  }

  async #flushAtTimes(): Promise<void> {
    this.#unwrittenSince ??= performance.now();
    const isLong = performance.now() - this.#unwrittenSince > UNWRITTEN_MS_MAX;
    if (this.#unwritten.length >= UNWRITTEN_MAX || isLong) await this.#flush();
  }

  /** Writes results and cursor, with further changes of the same transaction. */
  async #flush(more?: (tx: Tx) => Promise<void>): Promise<void> {
    const hasMoved = this.#logPosition.position !== this.#writtenTo;
    const hasDelivered = this.#unwritten.some(({ outcome }) => outcome === 'DELIVERED');
    if (hasMoved || more !== undefined)
      await this.#write(async (tx) => {
        await recordAttempts(tx, this.#lane, this.#unwritten);
        if (hasMoved) await moveLane(tx, this.#lane, this.#logPosition, hasDelivered);
        await more?.(tx);
      });
    this.#unwritten = [];
    this.#writtenTo = this.#logPosition.position;
    this.#unwrittenSince = undefined;
  }

  /** Each row is guarded by the fence, which comes first. */
  #write(work: (tx: Tx) => Promise<void>): Promise<void> {
    return transact(this.#app, this.#call, work, 'read committed');
  }
}

function pauseReason(cause: 'GONE' | 'KEEPS_FAILING', why: string): string {
  return cause === 'GONE'
    ? 'Paused automatically: the endpoint returned 410 Gone.'
    : `Paused automatically: deliveries kept failing. Last attempt: ${why}.`;
}
