//! Connections that stay open: how many, for whom, how slow, and how they end.
import type { ServerResponse } from 'node:http';
import { refuse } from '@holdfast/contract/errors';
import { STREAM_PING_SECONDS } from '@holdfast/contract/limits';
import { type Clock, instantText } from '@holdfast/kernel/clock';
import type { ApiKeyId } from '@holdfast/kernel/ids';
import type { Caller, OperatorActor } from '../platform/call.ts';
import type { RowNumber } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { Outlet } from '../platform/outlet.ts';

export interface StreamsParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly perKeyMax: number;
  readonly max: number;
  /** A reader that takes nothing for this long is cut. */
  readonly stallMs: number;
  /** Which of these keys are over. */
  endedKeys(ids: readonly ApiKeyId[]): Promise<readonly ApiKeyId[]>;
  /** Which of these operators' sessions are over, or none of their marketplace's any more. */
  endedSeats(seated: readonly Seated[]): Promise<readonly Seated[]>;
}

/** A session of an operator who is at work in a marketplace. */
interface Seated {
  readonly session: RowNumber;
  readonly marketplace: RowNumber;
}

/** Headers as Fastify has them by then. */
type SetHeaders = Readonly<Record<string, string | number | string[] | undefined>>;

/** A place for one stream, taken before anything is opened. */
export interface Seat {
  openOutlet(response: ServerResponse, headers: SetHeaders): Outlet;
  leave(): void;
}

/** Told to a reader that is sent away: come back a little later, and not all at once. */
const RETRY_MS = { least: 500, spread: 1500 };
const KEYS_CHECKED_EVERY_MS = 1000;

export class Streams {
  readonly #parts: StreamsParts;
  readonly #perCaller = new Map<string, number>();
  readonly #open = new Set<StreamOutlet>();
  #seats = 0;
  #isClosing = false;
  #checking: NodeJS.Timeout | undefined;

  constructor(parts: StreamsParts) {
    this.#parts = parts;
  }

  get count(): number {
    return this.#seats;
  }

  /** Refuses when the caller, or the process, has too many. */
  take(actor: Caller | undefined): Seat {
    const { perKeyMax, max } = this.#parts;
    const caller = actor?.id ?? 'anonymous';
    const taken = this.#perCaller.get(caller) ?? 0;
    if (this.#isClosing || this.#seats >= max)
      refuse('SERVICE_UNAVAILABLE', { reason: 'no room for another stream', retryAfter: 1 });
    if (taken >= perKeyMax)
      refuse('RATE_LIMITED', { limit: perKeyMax, windowSeconds: 0, retryAfter: 1 });
    this.#perCaller.set(caller, taken + 1);
    this.#seats += 1;
    let isTaken = true;
    const leave = () => {
      if (!isTaken) return;
      isTaken = false;
      this.#seats -= 1;
      const left = (this.#perCaller.get(caller) ?? 1) - 1;
      if (left === 0) this.#perCaller.delete(caller);
      else this.#perCaller.set(caller, left);
    };
    return {
      leave,
      openOutlet: (response, headers) => {
        const outlet = new StreamOutlet(response, this.#parts, actor);
        this.#open.add(outlet);
        outlet.onClose(() => {
          this.#open.delete(outlet);
          leave();
        });
        outlet.begin(headers);
        if (this.#isClosing) outlet.end();
        this.#checking ??= setInterval(() => void this.#checkCallers(), KEYS_CHECKED_EVERY_MS);
        return outlet;
      },
    };
  }

  /** Sends every reader away kindly: each knows where to go on. */
  close(): void {
    this.#isClosing = true;
    clearInterval(this.#checking);
    for (const outlet of this.#open) outlet.end();
  }

  /** A key that was revoked, a token, session or membership that ended, hears nothing more. */
  async #checkCallers(): Promise<void> {
    const now = this.#parts.clock.now();
    const keys = new Set<ApiKeyId>();
    const seated = new Map<string, Seated>();
    for (const outlet of this.#open) {
      const { actor } = outlet;
      if (actor?.kind === 'operator') seated.set(proofOf(actor), seatOf(actor));
      if (actor?.kind !== 'key') continue;
      if (actor.tokenUntil !== null && actor.tokenUntil <= now) outlet.end();
      else keys.add(actor.id);
    }
    const parts = this.#parts;
    try {
      const ended = new Set<string>([
        ...(keys.size === 0 ? [] : await parts.endedKeys([...keys])),
        ...(seated.size === 0 ? [] : (await parts.endedSeats([...seated.values()])).map(seatName)),
      ]);
      for (const outlet of this.#open) if (ended.has(proofOf(outlet.actor))) outlet.end();
    } catch (error) {
      this.#parts.log.warn({ reason: (error as Error).message }, 'miss keys');
    }
  }
}

function seatOf({ session, marketplace }: OperatorActor): Seated {
  return { session: session.id, marketplace };
}

const seatName = ({ session, marketplace }: Seated) => `${session} in ${marketplace}`;

/** What a stream was opened with, and ends with. */
function proofOf(actor: Caller | undefined): string {
  if (actor?.kind === 'operator') return seatName(seatOf(actor));
  return actor?.kind === 'key' ? actor.id : '';
}

class StreamOutlet implements Outlet {
  readonly actor: Caller | undefined;
  readonly #response: ServerResponse;
  readonly #parts: StreamsParts;
  readonly #callbacks: (() => void)[] = [];
  readonly #waiting: (() => void)[] = [];
  #pinging: NodeJS.Timeout | undefined;
  #stalling: NodeJS.Timeout | undefined;
  #isClosed = false;
  #isFull = false;

  constructor(response: ServerResponse, parts: StreamsParts, actor: Caller | undefined) {
    this.#response = response;
    this.#parts = parts;
    this.actor = actor;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  begin(headers: SetHeaders): void {
    const response = this.#response;
    // Gone while the stream was being opened: its event has passed.
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
      // Asks nginx and those who copied it to pass on every message at once.
      'x-accel-buffering': 'no',
    });
    // Some proxies hold the head back until there is a body.
    response.write(`retry: ${RETRY_MS.least + RETRY_MS.least}\n\n`);
    response.socket?.setNoDelay(true);
    this.#pinging = setInterval(() => this.#ping(), STREAM_PING_SECONDS * 1000);
  }

  write(chunk: Buffer): boolean {
    if (this.#isClosed || this.#response.writableEnded) return true;
    if (this.#response.write(chunk)) return true;
    this.#isFull = true;
    this.#stalling ??= setTimeout(() => this.#response.destroy(), this.#parts.stallMs);
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
    const retry = RETRY_MS.least + Math.floor(this.#parts.clock.now() % RETRY_MS.spread);
    this.#response.end(`retry: ${retry}\n\n`);
    // A reader that does not even take its goodbye is cut.
    clearTimeout(this.#stalling);
    this.#stalling = setTimeout(() => this.#response.destroy(), RETRY_MS.least);
  }

  /** A full connection shows that it lives by draining; it needs no ping on top. */
  #ping(): void {
    if (this.#isFull) return;
    const data = JSON.stringify({ ping: true, timestamp: instantText(this.#parts.clock.now()) });
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
