//! Webhooks: verifies received messages, signs messages for tests, and has adapters for frameworks.
import { HoldfastError, isHoldfastError } from '#errors';
import type { HoldfastEvent } from '#event';
import { now, wholeNumber } from '#platform';
import { equalBytes, fromBase64, signatureOf, toBase64 } from '#signature';
import type { TakeEvent } from '#stream/handlers';

/** Headers in any of the forms that runtimes and frameworks have them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far the sender's clock may be from ours; 5 minutes when absent. */
  readonly toleranceSeconds?: number | undefined;
  /** Milliseconds since 1970, for tests. */
  readonly now?: number | undefined;
}

const TOLERANCE_SECONDS = 300;

/** The body as it came. Parsed and written anew it is another text, and its signature is wrong. */
export type RawBody = string | Uint8Array;

/**
 * Gives the event when its signature is right and its time is near; throws a `HoldfastError` with
 * the code `WEBHOOK_REJECTED` otherwise. Several secrets may hold while one is being rotated.
 *
 * ```ts
 * const event = await verifyWebhook(await request.text(), request.headers, secret);
 * ```
 */
export async function verifyWebhook(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<HoldfastEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = wholeNumber(headerOf(headers, 'webhook-timestamp'));
  const signatures = headerOf(headers, 'webhook-signature');
  if (id === undefined || timestamp === undefined || signatures === undefined) {
    throw rejected('webhook-id, webhook-timestamp or webhook-signature is missing');
  }
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;
  const secrets = [secret].flat();
  if (secrets.length === 0) throw new TypeError('verifyWebhook requires a secret');
  const given = signatures
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => fromBase64(one.slice(3)))
    .filter((one) => one !== undefined);
  let isRight = false;
  for (const one of secrets) {
    const expected = await signatureOf(one, { id, timestamp, body });
    for (const other of given) if (equalBytes(expected, other)) isRight = true;
  }
  if (!isRight) throw rejected('no signature matches; check the secret, and pass the raw body');
  const seconds = Math.abs((options.now ?? now()) / 1000 - timestamp);
  if (seconds > (options.toleranceSeconds ?? TOLERANCE_SECONDS)) {
    throw rejected(`the timestamp is ${Math.round(seconds)} seconds away from the current time`);
  }
  return eventIn(body);
}

function eventIn(body: Uint8Array): HoldfastEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    const isEvent = typeof event === 'object' && event !== null && 'eventType' in event;
    if (isEvent) return event as HoldfastEvent;
  } catch {
    // Rejected below: signed by us, but no event.
  }
  throw rejected('the body is not an event');
}

function rejected(reason: string): HoldfastError<'WEBHOOK_REJECTED'> {
  return new HoldfastError('WEBHOOK_REJECTED', {
    message: `Webhook rejected: ${reason}.`,
    details: { reason },
  });
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') {
    return (headers as { get(name: string): string | null }).get(name) ?? undefined;
  }
  const value = (headers as Readonly<Record<string, string | readonly string[] | undefined>>)[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** What `signWebhook` gives: send it to a handler as it is. */
export interface SignedWebhook {
  readonly body: string;
  readonly headers: {
    readonly 'content-type': 'application/json';
    readonly 'webhook-id': string;
    readonly 'webhook-timestamp': string;
    readonly 'webhook-signature': string;
  };
}

export interface SignOptions {
  /** Milliseconds since 1970; now when absent. */
  readonly at?: number | undefined;
}

/** Signs an event as Holdfast does, with one secret or with several: for tests of your handler. */
export async function signWebhook(
  event: HoldfastEvent | string,
  secret: string | readonly string[],
  options: SignOptions = {},
): Promise<SignedWebhook> {
  const text = typeof event === 'string' ? event : JSON.stringify(event);
  const { eventId: id } = JSON.parse(text) as { eventId: string };
  const timestamp = Math.floor((options.at ?? now()) / 1000);
  const body = new TextEncoder().encode(text);
  const signatures = await Promise.all(
    [secret].flat().map((one) => signatureOf(one, { id, timestamp, body })),
  );
  return {
    body: text,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': `${timestamp}`,
      'webhook-signature': signatures.map((one) => `v1,${toBase64(one)}`).join(' '),
    },
  };
}

export interface WebhookOptions extends VerifyOptions {
  /** `whsec_…`, or several while one is being rotated. */
  readonly secret: string | readonly string[];
  /** Receives the cause of a 4xx or 5xx response; Holdfast sends the event again later. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const BODY_BYTES_MAX = 1_048_576;

/** Verifies, calls the handler, and returns the status and a short text for the response. */
async function receive(
  body: RawBody | undefined,
  headers: WebhookHeaders,
  take: TakeEvent,
  options: WebhookOptions,
): Promise<{ readonly status: number; readonly message: string }> {
  try {
    if (body === undefined) return { status: 413, message: 'body too large' };
    const event = await verifyWebhook(body, headers, options.secret, options);
    await take(event);
    return { status: 204, message: '' };
  } catch (error) {
    options.onError?.(error);
    if (!isHoldfastError(error, 'WEBHOOK_REJECTED'))
      return { status: 500, message: 'the handler failed' };
    return { status: 401, message: error.details.reason };
  }
}

/** For runtimes with `Request` and `Response`: Next route handlers, Hono, Bun, Deno, workers. */
export function fetchWebhook(
  take: TakeEvent,
  options: WebhookOptions,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const bytes = new Uint8Array(await request.arrayBuffer());
    const body = bytes.length > BODY_BYTES_MAX ? undefined : bytes;
    const { status, message } = await receive(body, request.headers, take, options);
    return new Response(status === 204 ? null : message, { status });
  };
}

/** What the Express adapter needs of a request. */
export interface ExpressRequest extends AsyncIterable<unknown> {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: unknown;
}

/** What the Express adapter needs of a response. */
export interface ExpressResponse {
  status(code: number): { end(text?: string): unknown };
}

/**
 * `app.post('/hooks', expressWebhook(take, { secret }))`. It reads the raw body itself, so it
 * stands before `express.json()`, or behind `express.raw()`.
 */
export function expressWebhook(
  take: TakeEvent,
  options: WebhookOptions,
): (request: ExpressRequest, response: ExpressResponse) => Promise<void> {
  return async (request, response) => {
    const { body } = request;
    if (body !== undefined && !isRaw(body)) {
      const error = new TypeError(
        'the body has already been parsed: register expressWebhook before express.json()',
      );
      options.onError?.(error);
      response.status(500).end(error.message);
      return;
    }
    try {
      const raw = body === undefined ? await collect(request) : body;
      const { status, message } = await receive(raw, request.headers, take, options);
      response.status(status).end(message);
    } catch (error) {
      options.onError?.(error); // The sender went away in the middle.
      response.status(400).end();
    }
  };
}

function isRaw(body: unknown): body is RawBody {
  return typeof body === 'string' || body instanceof Uint8Array;
}

/** Undefined when it is too large. */
async function collect(pieces: AsyncIterable<unknown>): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    const bytes = piece instanceof Uint8Array ? piece : new TextEncoder().encode(String(piece));
    length += bytes.length;
    if (length > BODY_BYTES_MAX) return undefined;
    parts.push(bytes);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** What the Fastify adapter needs of an instance. */
export interface FastifyLike {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    options: { readonly parseAs: 'buffer' },
    parse: (request: unknown, body: Uint8Array, done: (error: null, body: unknown) => void) => void,
  ): unknown;
  post(
    path: string,
    handle: (
      request: { readonly headers: WebhookHeaders; readonly body: unknown },
      reply: { code(status: number): { send(body?: string): unknown } },
    ) => Promise<unknown>,
  ): unknown;
}

/**
 * `app.register(fastifyWebhook('/hooks', take, { secret }))`. A plugin: what it does to the reading
 * of bodies concerns no other route.
 */
export function fastifyWebhook(
  path: string,
  take: TakeEvent,
  options: WebhookOptions,
): (instance: FastifyLike) => Promise<void> {
  return async (instance) => {
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
    instance.post(path, async (request, reply) => {
      const body = isRaw(request.body) ? request.body : '';
      const { status, message } = await receive(body, request.headers, take, options);
      return reply.code(status).send(message);
    });
  };
}
