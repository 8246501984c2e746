//! One turn at a lane: sends what follows its cursor, one message after the other, and writes down
//! how far it came. The cursor moves only behind what was answered with a 2xx, or is not wanted.
import { TEST_EVENT_TYPE } from '@holdfast/contract/webhook-records';
import { instantText, microsText, systemClock } from '@holdfast/kernel/clock';
import { type EventId, microsOf } from '@holdfast/kernel/ids';
import { audit } from '../audit/audit-entry.ts';
import type { Place } from '../events/event-log.ts';
import type { Feed } from '../events/feed.ts';
import { aboutMs } from '../platform/backoff.ts';
import type { Call, SystemActor } from '../platform/call.ts';
import { type Tx, transact } from '../platform/transact.ts';
import { type Coming, growth, listComing } from './coming.ts';
import { type Attempt, type Attempted, noteAttempts } from './delivery.ts';
import type { Exchange } from './egress.ts';
import type { WebhookEndpoint } from './endpoint.ts';
import { typesOf } from './event-patterns.ts';
import { holdTurn, type Lane, leaveLane, moveLane, postponeLane } from './lane.ts';
import { stopSending } from './pause-webhook-endpoint.ts';
import { signatureOf } from './secret.ts';
import type { WebhookApp } from './webhook-app.ts';

/** `again`: look once more after a while. `over`: whoever finds something to do begins anew. */
export type LaneAnswer =
  | { readonly kind: 'again'; readonly inMs: number }
  | { readonly kind: 'over' };

const OVER: LaneAnswer = { kind: 'over' };

/** Then another worker may have it: nobody holds a lane for good. */
const TURN_MS_MAX = 15_000;
/** How long a turn that has caught up waits for more. */
const LINGER_MS = 1000;
/** At most so many are sent again when the worker dies. */
const UNWRITTEN_MAX = 20;
const UNWRITTEN_MS_MAX = 250;
const FIRST_WAIT_MS = 200;
const WAIT_MS_MAX = 300_000;
const GONE = 410;

/** A fifth of a second, two fifths, four … five minutes, give or take a fifth. */
export function laneWaitMs(failures: number): number {
  return aboutMs(Math.min(WAIT_MS_MAX, FIRST_WAIT_MS * 2 ** Math.min(failures, 20)));
}

export interface TurnParts {
  readonly lane: Lane;
  readonly endpoint: WebhookEndpoint;
  /** The newest first. The second signs until its time. */
  readonly secrets: readonly Uint8Array[];
  /** Nothing new is begun. */
  readonly stopping: AbortSignal;
  /** What is under way is broken off, too. */
  readonly signal: AbortSignal;
}

export class LaneTurn {
  readonly #app: WebhookApp;
  readonly #call: Call<SystemActor>;
  readonly #lane: Lane;
  readonly #endpoint: WebhookEndpoint;
  readonly #secrets: readonly Uint8Array[];
  readonly #stopping: AbortSignal;
  readonly #signal: AbortSignal;
  readonly #endsAt = performance.now() + TURN_MS_MAX;
  #place: Place;
  #writtenTo: number;
  /** Since when there is something that is not written down. */
  #unwrittenSince: number | undefined;
  #unwritten: Attempted[] = [];
  #failures: number;

  constructor(app: WebhookApp, call: Call<SystemActor>, parts: TurnParts) {
    this.#app = { ...app, fence: (tx: Tx) => holdTurn(tx, parts.lane) };
    this.#call = call;
    this.#lane = parts.lane;
    this.#endpoint = parts.endpoint;
    this.#secrets = parts.secrets;
    this.#stopping = parts.stopping;
    this.#signal = parts.signal;
    this.#place = parts.lane.place;
    this.#writtenTo = parts.lane.place.position;
    this.#failures = parts.lane.failures;
  }

  /** Says that it is alive; throws a TurnOver when it should not be. */
  beat(): Promise<void> {
    return this.#write(async () => undefined);
  }

  /** Through the log, as far as there is one and the endpoint takes it. */
  async deliver(feed: Feed): Promise<LaneAnswer> {
    const types = typesOf(this.#endpoint.types);
    while (!this.#isEnded()) {
      const coming = await listComing(feed, this.#place, types);
      if (coming === 'gone') {
        await this.#passOver(feed.end);
        continue;
      }
      if (coming.length === 0 && !(await this.#awaitMore(feed))) break;
      if (coming[0] !== undefined) await this.#noteGap(coming[0]);
      for (const each of coming) {
        if (this.#isEnded()) break;
        const failed = each.body === null ? undefined : await this.#sendOne(each, each.body);
        if (failed !== undefined) return failed;
        this.#place = { position: each.position, occurredAt: each.occurredAt };
        await this.#flushAtTimes();
      }
    }
    const isDone = this.#isAtEnd();
    await this.#flush((tx) => leaveLane(tx, this.#lane, isDone ? 'DONE' : 'OPEN'));
    return OVER;
  }

  /** One message that is no event, once. */
  async sendTest(): Promise<LaneAnswer> {
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
      await noteAttempts(tx, this.#lane, [{ eventId, eventType, outcome, attempt }]);
      await leaveLane(tx, this.#lane, isGood ? 'DONE' : 'FAILED');
    });
    return OVER;
  }

  /** Something that nobody thought of went wrong: later, perhaps with another build. */
  async postpone(): Promise<LaneAnswer> {
    const inMs = laneWaitMs(this.#failures);
    await this.#write((tx) => postponeLane(tx, this.#lane, tx.now + inMs));
    return { kind: 'again', inMs };
  }

  #isAtEnd(): boolean {
    const { untilPosition } = this.#lane;
    return untilPosition !== null && this.#place.position >= untilPosition;
  }

  #isEnded(): boolean {
    return this.#stopping.aborted || this.#isAtEnd() || performance.now() > this.#endsAt;
  }

  /** What comes right away is written together with what was sent before it. */
  async #awaitMore(feed: Feed): Promise<boolean> {
    if (await growth(feed, this.#place, UNWRITTEN_MS_MAX, this.#stopping)) return true;
    await this.#flush();
    return growth(feed, this.#place, LINGER_MS, this.#stopping);
  }

  /** Undefined when it was delivered. */
  async #sendOne(event: Coming, body: Buffer): Promise<LaneAnswer | undefined> {
    const exchange = await this.#post(event.id, body);
    // What was broken off from here is not the endpoint's fault.
    if (exchange.status === null && this.#signal.aborted) return this.#giveBack();
    const { id: eventId, type: eventType } = event;
    const attempt = this.#attemptOf(exchange);
    if (exchange.reason !== null) return this.#fail({ eventId, eventType, attempt });
    this.#unwritten.push({ eventId, eventType, outcome: 'DELIVERED', attempt });
    this.#failures = 0;
    return undefined;
  }

  #post(id: EventId, body: Buffer): Promise<Exchange> {
    // The receiver compares it with its own clock, whatever time it is in a world for tests.
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
    return this.#app.webhooks.egress.post(this.#endpoint.url, headers, body, this.#signal);
  }

  async #fail(failed: Omit<Attempted, 'outcome'>): Promise<LaneAnswer> {
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
      if (isLive) isPaused = await stopSending(tx, this.#endpoint, cause, `last attempt: ${why}`);
      else await leaveLane(tx, this.#lane, 'FAILED');
    });
    const { id: webhookEndpointId, url } = this.#endpoint;
    if (isPaused) this.#app.log.error({ webhookEndpointId, url, reason: why }, 'pause webhook');
    return isHopeless ? OVER : { kind: 'again', inMs };
  }

  #isPastBudget(): boolean {
    const { failingSince } = this.#lane;
    const budgetMs = this.#app.config.HOLDFAST_WEBHOOK_RETRY_SECONDS * 1000;
    if (failingSince === null || this.#failures === 0) return false;
    return this.#app.clock.now() - failingSince >= budgetMs;
  }

  #attemptOf({ status, latencyMs, answer, reason }: Exchange): Attempt {
    return { at: instantText(this.#app.clock.now()), status, latencyMs, answer, reason };
  }

  /** Months of the log may have been dropped while the endpoint was paused or failed. */
  async #noteGap(first: Place): Promise<void> {
    const events = first.position - this.#place.position - 1;
    if (events === 0) return;
    const { id: webhookEndpointId } = this.#endpoint;
    this.#app.log.error({ webhookEndpointId, events }, 'miss events');
    const after = { events, since: this.#place.occurredAt, goesOnAt: first.occurredAt };
    await this.#write((tx) =>
      audit(tx, {
        action: 'WEBHOOK_EVENTS_MISSED',
        resourceId: webhookEndpointId,
        result: 'FAILURE',
        after,
      }),
    );
  }

  async #passOver(end: Place): Promise<void> {
    await this.#noteGap({ position: end.position + 1, occurredAt: end.occurredAt });
    this.#place = { position: end.position, occurredAt: end.occurredAt };
    await this.#flush();
  }

  async #giveBack(): Promise<LaneAnswer> {
    await this.#flush((tx) => leaveLane(tx, this.#lane, 'OPEN'));
    return OVER;
  }

  async #flushAtTimes(): Promise<void> {
    this.#unwrittenSince ??= performance.now();
    const isLong = performance.now() - this.#unwrittenSince > UNWRITTEN_MS_MAX;
    if (this.#unwritten.length >= UNWRITTEN_MAX || isLong) await this.#flush();
  }

  /** What was sent, the cursor behind it, and whatever else belongs into the same transaction. */
  async #flush(more?: (tx: Tx) => Promise<void>): Promise<void> {
    const hasMoved = this.#place.position !== this.#writtenTo;
    const hasDelivered = this.#unwritten.some(({ outcome }) => outcome === 'DELIVERED');
    if (hasMoved || more !== undefined)
      await this.#write(async (tx) => {
        await noteAttempts(tx, this.#lane, this.#unwritten);
        if (hasMoved) await moveLane(tx, this.#lane, this.#place, hasDelivered);
        await more?.(tx);
      });
    this.#unwritten = [];
    this.#writtenTo = this.#place.position;
    this.#unwrittenSince = undefined;
  }

  /** Each row guards itself by the fence, which comes first. */
  #write(work: (tx: Tx) => Promise<void>): Promise<void> {
    return transact(this.#app, this.#call, work, 'read committed');
  }
}
