//! Connections that stay open: their limits, their owners, slow readers, and how they end.
import type { ServerResponse } from 'node:http';
import { refuse } from '@holdfast/contract/errors';
import { STREAM_PING_SECONDS } from '@holdfast/contract/limits';
import { type Clock, instantText } from '@holdfast/kernel/clock';
import type { ApiKeyId } from '@holdfast/kernel/ids';
import type { Caller, OperatorActor } from '../../platform/call.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Outlet } from '../../platform/outlet.ts';
import type { Log } from '../../platform/process/log.ts';

export interface StreamsDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly perKeyMax: number;
  readonly max: number;
  /** A reader that takes nothing for this long is cut. */
  readonly stallMs: number;
  /** Which of these keys have ended. */
  endedKeys(ids: readonly ApiKeyId[]): Promise<readonly ApiKeyId[]>;
  /** Which of these operators' sessions, or their memberships, have ended. */
  endedMemberships(
    memberships: readonly SessionMembership[],
  ): Promise<readonly SessionMembership[]>;
}

/** A session of an operator within a marketplace. */
interface SessionMembership {
  readonly session: RowNumber;
  readonly marketplace: RowNumber;
}

/** Headers as Fastify has them by then. */
type SetHeaders = Readonly<Record<string, string | number | string[] | undefined>>;

/** A slot for one stream, taken before anything is opened. */
export interface StreamSlot {
  openOutlet(response: ServerResponse, headers: SetHeaders): Outlet;
  leave(): void;
}

/** Sent to a reader that is disconnected: reconnect a little later, spread over time. */
const RETRY_MS = { least: 500, spread: 1500 };
const KEYS_CHECKED_EVERY_MS = 1000;

export class Streams {
  readonly #deps: StreamsDeps;
  readonly #perCaller = new Map<string, number>();
  readonly #open = new Set<StreamOutlet>();
  #openCount = 0;
  #isClosing = false;
  #checking: NodeJS.Timeout | undefined;

  constructor(deps: StreamsDeps) {
    this.#deps = deps;
  }

  get count(): number {
    return this.#openCount;
  }

  /** Refuses when the caller, or the process, has too many streams. */
  take(actor: Caller | undefined): StreamSlot {
    const { perKeyMax, max } = this.#deps;
    const caller = actor?.id ?? 'anonymous';
    const taken = this.#perCaller.get(caller) ?? 0;
    if (this.#isClosing || this.#openCount >= max)
      refuse('SERVICE_UNAVAILABLE', {
        reason: 'the limit of open streams is reached',
        retryAfter: 1,
      });
    if (taken >= perKeyMax)
      refuse('RATE_LIMITED', { limit: perKeyMax, windowSeconds: 0, retryAfter: 1 });
    this.#perCaller.set(caller, taken + 1);
    this.#openCount += 1;
    let isTaken = true;
    const leave = () => {
      if (!isTaken) return;
      isTaken = false;
      this.#openCount -= 1;
      const left = (this.#perCaller.get(caller) ?? 1) - 1;
      if (left === 0) this.#perCaller.delete(caller);
      else this.#perCaller.set(caller, left);
    };
    return {
      leave,
      openOutlet: (response, headers) => {
        const outlet = new StreamOutlet(response, this.#deps, actor);
        this.#open.add(outlet);
        outlet.onClose(() => {
          this.#open.delete(outlet);
          leave();
        });
        outlet.start(headers);
        if (this.#isClosing) outlet.end();
        this.#checking ??= setInterval(() => void this.#checkCallers(), KEYS_CHECKED_EVERY_MS);
        return outlet;
      },
    };
  }

  /** Disconnects every reader gracefully: each knows its position to resume from. */
  close(): void {
    this.#isClosing = true;
    clearInterval(this.#checking);
    this.disconnect();
  }

  /** Readers connect again, with their cursors. */
  disconnect(): void {
    for (const outlet of this.#open) outlet.end();
  }

  /** A revoked key, or an ended token, session or membership, receives nothing more. */
  async #checkCallers(): Promise<void> {
    const now = this.#deps.clock.now();
    const keys = new Set<ApiKeyId>();
    const memberships = new Map<string, SessionMembership>();
    for (const outlet of this.#open) {
      const { actor } = outlet;
      if (actor?.kind === 'operator') memberships.set(proofOf(actor), membershipOf(actor));
      if (actor?.kind !== 'key') continue;
      if (actor.tokenUntil !== null && actor.tokenUntil <= now) outlet.end();
      else keys.add(actor.id);
    }
    const deps = this.#deps;
    try {
      const ended = new Set<string>([
        ...(keys.size === 0 ? [] : await deps.endedKeys([...keys])),
        ...(memberships.size === 0
          ? []
          : (await deps.endedMemberships([...memberships.values()])).map(membershipKey)),
      ]);
      for (const outlet of this.#open) if (ended.has(proofOf(outlet.actor))) outlet.end();
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'stream credential check failed');
    }
  }
}

function membershipOf({ session, marketplace }: OperatorActor): SessionMembership {
  return { session: session.id, marketplace };
}

const membershipKey = ({ session, marketplace }: SessionMembership) =>
  `${session} in ${marketplace}`;

/** The credentials that opened a stream; it ends with them. */
function proofOf(actor: Caller | undefined): string {
  if (actor?.kind === 'operator') return membershipKey(membershipOf(actor));
  return actor?.kind === 'key' ? actor.id : '';
}

class StreamOutlet implements Outlet {
  readonly actor: Caller | undefined;
  readonly #response: ServerResponse;
  readonly #deps: StreamsDeps;
  readonly #callbacks: (() => void)[] = [];
  readonly #waiting: (() => void)[] = [];
  #pinging: NodeJS.Timeout | undefined;
  #stalling: NodeJS.Timeout | undefined;
  #isClosed = false;
  #isFull = false;

  constructor(response: ServerResponse, deps: StreamsDeps, actor: Caller | undefined) {
    this.#response = response;
    this.#deps = deps;
    this.actor = actor;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  start(headers: SetHeaders): void {
    const response = this.#response;
    // The client left while the stream was being opened: its close event has already fired.
    if (response.destroyed || response.closed) {
      this.#closed();
      return;
    }
    response.once('close', () => this.#closed());
    response.on('error', () => response.destroy());
    response.on('drain', () => this.#hasDrained());
    response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      connection: 'keep-alive',
      // Makes nginx and compatible proxies pass on every message at once.
      'x-accel-buffering': 'no',
    });
    // Some proxies hold the headers back until there is a body.
    response.write(`retry: ${RETRY_MS.least + RETRY_MS.least}\n\n`);
    response.socket?.setNoDelay(true);
    this.#pinging = setInterval(() => this.#ping(), STREAM_PING_SECONDS * 1000);
  }

  write(chunk: Buffer): boolean {
    if (this.#isClosed || this.#response.writableEnded) return true;
    if (this.#response.write(chunk)) return true;
    this.#isFull = true;
    this.#stalling ??= setTimeout(() => this.#response.destroy(), this.#deps.stallMs);
    return false;
  }

  async drained(): Promise<void> {
    if (!this.#isFull || this.#isClosed) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  onClose(callback: () => void): void {
    if (this.#isClosed) callback();
    else this.#callbacks.push(callback);
  }

  end(): void {
    if (this.#response.writableEnded) return;
    const retry = RETRY_MS.least + Math.floor(this.#deps.clock.now() % RETRY_MS.spread);
    this.#response.end(`retry: ${retry}\n\n`);
    // A reader that does not even take the last message is cut.
    clearTimeout(this.#stalling);
    this.#stalling = setTimeout(() => this.#response.destroy(), RETRY_MS.least);
  }

  /** A full connection shows that it is alive by draining; it needs no extra ping. */
  #ping(): void {
    if (this.#isFull) return;
    const data = JSON.stringify({ ping: true, timestamp: instantText(this.#deps.clock.now()) });
    this.write(Buffer.from(`event: ping\ndata: ${data}\n\n`));
  }

  #hasDrained(): void {
    this.#isFull = false;
    for (const goOn of this.#waiting.splice(0)) goOn();
    if (this.#response.writableEnded) return;
    clearTimeout(this.#stalling);
    this.#stalling = undefined;
  }

  #closed(): void {
    this.#isClosed = true;
    clearInterval(this.#pinging);
    clearTimeout(this.#stalling);
    for (const goOn of this.#waiting.splice(0)) goOn();
    for (const callback of this.#callbacks.splice(0)) callback();
  }
}
