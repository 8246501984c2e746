//! One HTTP exchange with a provider: bounded in time and size, limited in rate, stopped by a
//! circuit breaker when the provider is down. Returns the reply, or that no readable one came; the
//! adapter interprets it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Instant } from '@holdfast/kernel/clock';
import { PROVIDER_CIRCUIT_OPENED } from '../platform/process/alarms.ts';
import type { Log } from '../platform/process/log.ts';
import { traceHeaders } from '../platform/telemetry/outgoing-trace.ts';
import { inSpan } from '../platform/telemetry/spans.ts';

/** A readable reply; the adapter decides whether it is good or bad. */
export interface HttpReply {
  readonly status: number;
  readonly json: unknown;
  readonly retryAfterMs: number | undefined;
}

/** `notSent`: the request never left, so it had no effect. */
export interface NoReply {
  readonly notSent: boolean;
  readonly reason: string;
}

export interface ProviderHttpSettings {
  readonly name: string;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Requests in a minute; null where the provider sets no limit. */
  readonly perMinute: number | null;
  readonly clock: Clock;
  readonly log: Log;
}

export interface ProviderRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

const REPLY_BYTES_MAX = 1_048_576;
const WAITING_MAX = 200;
const AT_ONCE_MAX = 20;
const FAILURES_TO_BREAK = 8;
const BROKEN_MS = 5_000;
const TOKEN_WAIT_MS_MAX = 10_000;

export class ProviderHttp {
  readonly #settings: ProviderHttpSettings;
  readonly #bucket: TokenBucket | undefined;
  #running = 0;
  #waiting = 0;
  #failures = 0;
  #brokenUntil: Instant = 0;

  constructor(settings: ProviderHttpSettings) {
    this.#settings = settings;
    this.#bucket =
      settings.perMinute === null ? undefined : new TokenBucket(settings.perMinute, settings.clock);
  }

  /** True while the provider counts as down: nothing is sent, nothing is lost. */
  get isBroken(): boolean {
    return this.#settings.clock.now() < this.#brokenUntil;
  }

  async send(sending: ProviderRequest): Promise<HttpReply | NoReply> {
    if (this.isBroken)
      return { notSent: true, reason: `the circuit breaker of ${this.#settings.name} is open` };
    const refused = await this.#acquire();
    if (refused !== undefined) return { notSent: true, reason: refused };
    const startedAt = this.#settings.clock.now();
    try {
      const reply = await inSpan(this.#spanOf(sending), () => this.#http(sending));
      this.#note(reply.status < 500);
      return reply;
    } catch (error) {
      this.#note(false);
      return { notSent: isNeverSent(error), reason: reasonOf(error) };
    } finally {
      this.#running -= 1;
      const { name, clock, log } = this.#settings;
      log.debug(
        { provider: name, method: sending.method, durationMs: clock.now() - startedAt },
        'provider called',
      );
    }
  }

  /** Without the path: it has ids of the provider. */
  #spanOf({ method }: ProviderRequest) {
    const { name } = this.#settings;
    const attributes = { 'http.request.method': method, 'holdfast.provider': name };
    return { name: `${method} ${name}`, kind: 'client', attributes } as const;
  }

  async #http({ method, path, body, form, timeoutMs }: ProviderRequest): Promise<HttpReply> {
    const payload = form
      ? new URLSearchParams(form)
      : body === undefined
        ? undefined
        : JSON.stringify(body);
    const url = `${this.#settings.baseUrl}${path}`;
    const response = await fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...this.#settings.headers,
        ...traceHeaders(url),
      },
      ...(payload === undefined ? {} : { body: payload }),
      // A redirect would lead to a server other than the configured provider.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await boundedText(response);
    return {
      status: response.status,
      json: text === '' ? null : JSON.parse(text),
      retryAfterMs: retryAfterOf(response),
    };
  }

  /** Undefined when the request may go; otherwise the reason why not. */
  async #acquire(): Promise<string | undefined> {
    if (this.#waiting >= WAITING_MAX) return 'too many requests are queued';
    this.#waiting += 1;
    try {
      while (this.#running >= AT_ONCE_MAX) await sleep(5);
      const wait = this.#bucket?.take(TOKEN_WAIT_MS_MAX) ?? 0;
      if (wait > TOKEN_WAIT_MS_MAX) return "the provider's rate limit is reached";
      if (wait > 0) await sleep(wait);
      this.#running += 1;
      return undefined;
    } finally {
      this.#waiting -= 1;
    }
  }

  #note(isGood: boolean): void {
    this.#failures = isGood ? 0 : this.#failures + 1;
    if (this.#failures < FAILURES_TO_BREAK) return;
    this.#failures = 0;
    this.#brokenUntil = this.#settings.clock.now() + BROKEN_MS;
    this.#settings.log.warn({ provider: this.#settings.name }, PROVIDER_CIRCUIT_OPENED);
  }
}

/** Smooths requests to the provider's own limit. */
class TokenBucket {
  readonly #everyMs: number;
  readonly #burst: number;
  readonly #clock: Clock;
  #nextAt: Instant = 0;

  constructor(perMinute: number, clock: Clock) {
    this.#everyMs = 60_000 / perMinute;
    this.#burst = Math.max(1, Math.floor(perMinute / 10));
    this.#clock = clock;
  }

  /** How long to wait for a token; it is taken only when that is not too long. */
  take(waitMsMax: number): number {
    const now = this.#clock.now();
    const start = Math.max(this.#nextAt, now - this.#burst * this.#everyMs);
    const wait = Math.max(0, start - now);
    if (wait <= waitMsMax) this.#nextAt = start + this.#everyMs;
    return wait;
  }
}

/** Errors of connecting: the peer never saw a byte of the request. */
function isNeverSent(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } };
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(
    cause?.code ?? '',
  );
}

function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'the reply is not JSON';
  const { name, message, cause } = error as {
    name: string;
    message: string;
    cause?: { code?: string; message?: string };
  };
  if (name === 'TimeoutError') return 'no reply in time';
  return (cause?.code ?? cause?.message ?? message).slice(0, 200);
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > REPLY_BYTES_MAX) throw new Error('the reply is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function retryAfterOf(response: Response): number | undefined {
  const header = response.headers.get('retry-after');
  return header !== null && /^\d{1,5}$/.test(header) ? Number(header) * 1000 : undefined;
}

/** True for a readable reply. */
export function isReply(result: HttpReply | NoReply): result is HttpReply {
  return 'status' in result;
}
