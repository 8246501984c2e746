//! The client beneath all resources: settings, keys, retries, and the reading of responses.

import { readApiKey } from '#api-key';
import { attempt, type OutgoingRequest } from '#attempt';
import { type ApiResponse, Call, DecisionCall, type KeyedCallOptions } from '#call';
import { type EndpointFacts, pathOf, queryOf, type RequestParts } from '#endpoint';
import { type HoldfastError, isHoldfastError, withOpenOutcome } from '#errors';
import { keyFrom, newKey } from '#idempotency';
import { List, type Page } from '#list';
import { environment, now, sleep } from '#platform';
import { type CallContext, type Envelope, failureOf, readEnvelope, requestIdOf } from '#response';
import { isDecisive, mayRepeat, pauseBefore } from '#retry';
import { type HoldfastSession, operatorHeaders } from '#session';
import { callSite, withCallSite } from '#stack';

/** What `new Holdfast({ … })` takes. */
export interface HoldfastOptions {
  /** An API key, a token made from one, or the master key. Default: `HOLDFAST_API_KEY`. */
  readonly apiKey?: string | undefined;
  /** Where the service is. `HOLDFAST_URL` when absent, else `http://127.0.0.1:4400`. */
  readonly baseUrl?: string | undefined;
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** For each attempt. 60 seconds: the service itself waits up to 30 for a provider. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first, where repeating does no harm. 3 when absent. */
  readonly maxRetries?: number | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** For a page that is signed in by a cookie and has no key. */
  readonly session?: HoldfastSession | undefined;
  /**
   * Any visitor of a web page can read its key: a long-lived one is refused unless you set this.
   */
  readonly allowKeyInPage?: boolean | undefined;
  /** Sees every request before it goes, and may add headers to it, such as a trace's. */
  readonly onRequest?: ((request: OutgoingRequest) => void) | undefined;
  /** Sees how every attempt ended. */
  readonly onResponse?: ((report: AttemptReport) => void) | undefined;
}

/** How an attempt ended. */
export interface AttemptReport extends OutgoingRequest {
  readonly durationMs: number;
  /** Undefined when no response came. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** Undefined on success. */
  readonly error: HoldfastError | undefined;
}

const DEFAULT_URL = 'http://127.0.0.1:4400';
const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_RETRIES = 3;

/** How a surface's responses are read, and where it lies below the service's address. */
export interface Surface {
  readonly base: string;
  readonly needsKey: boolean;
  read(response: Response, text: string, context: CallContext): Envelope;
  failure(response: Response, text: string, context: CallContext): HoldfastError;
}

const SURFACE_A = { base: '/api/v1', needsKey: true, read: readEnvelope, failure: failureOf };

/** A prepared call, the same for all of its attempts. */
interface Prepared {
  readonly endpoint: EndpointFacts;
  readonly parts: RequestParts;
  readonly options: KeyedCallOptions;
  readonly url: string;
  readonly key: string | undefined;
  readonly context: CallContext;
}

/** A response, and its envelope unless the body was left to the caller. */
interface Read {
  readonly response: Response;
  readonly envelope: Envelope | undefined;
}

/** Sends the calls of all resources. Use `Holdfast`. */
export class Client {
  readonly baseUrl: string;
  readonly #options: HoldfastOptions;
  readonly #apiKey: string | undefined;
  readonly #surface: Surface;

  constructor(options: HoldfastOptions = {}, surface: Surface = SURFACE_A) {
    this.#options = options;
    this.#surface = surface;
    const url = options.baseUrl ?? environment('HOLDFAST_URL') ?? DEFAULT_URL;
    this.baseUrl = url.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
    if (!URL.canParse(this.baseUrl)) throw new TypeError(`Invalid baseUrl: ${url}`);
    this.#apiKey = readApiKey(options, surface.needsKey);
  }

  /** A call whose response is one record. */
  call<T>(endpoint: EndpointFacts, parts: RequestParts, options: KeyedCallOptions): Call<T> {
    const site = callSite();
    const response = this.#response(endpoint, parts, options) as Promise<ApiResponse<T>>;
    return new Call(withCallSite(response, site));
  }

  /** A call that a second person may have to agree to. */
  decide<T>(
    endpoint: EndpointFacts,
    parts: RequestParts,
    options: KeyedCallOptions,
  ): DecisionCall<T> {
    const site = callSite();
    const response = this.#response(endpoint, parts, options) as Promise<ApiResponse<T>>;
    return new DecisionCall(withCallSite(response, site));
  }

  /** A call whose response is a list, page by page. */
  list<T>(endpoint: EndpointFacts, parts: RequestParts, options: KeyedCallOptions): List<T> {
    const site = callSite();
    return new List<T>(async (cursor) => {
      const query = { ...parts.query, ...(cursor && { [endpoint.cursor ?? 'cursor']: cursor }) };
      const sent = this.#exchange(endpoint, { ...parts, query }, options);
      const { envelope } = await withCallSite(sent, site);
      const { data, hasMore, nextCursor } = envelope.data;
      return {
        items: data as T[],
        hasMore: hasMore === true,
        nextCursor: nextCursor ?? undefined,
      } satisfies Page<T>;
    });
  }

  /** A call that returns a table; the body is left to the caller. */
  csv(endpoint: EndpointFacts, parts: RequestParts, options: KeyedCallOptions): Call<Response> {
    const query = { ...parts.query, format: 'csv' };
    const site = callSite();
    const sending = this.#send(endpoint, { ...parts, query }, options, ({ ok }) => ok);
    const response = withCallSite(sending, site);
    return new Call(response.then((sent) => ({ ...sent, data: sent.response })));
  }

  /** Opens a stream: the body of the response has no fixed end. */
  async open(
    endpoint: EndpointFacts,
    parts: RequestParts,
    options: KeyedCallOptions,
  ): Promise<Response> {
    const { response } = await this.#send(endpoint, parts, options, ({ ok }) => ok);
    return response;
  }

  /** The service's own time, which in development is not the machine's. */
  async serverTime(
    endpoint: EndpointFacts,
    options: KeyedCallOptions,
  ): Promise<string | undefined> {
    const { envelope } = await this.#exchange(endpoint, {}, options);
    return envelope.meta?.timestamp;
  }

  async #response(endpoint: EndpointFacts, parts: RequestParts, options: KeyedCallOptions) {
    const { envelope, ...sent } = await this.#exchange(endpoint, parts, options);
    return { ...sent, data: envelope.data.data };
  }

  async #exchange(endpoint: EndpointFacts, parts: RequestParts, options: KeyedCallOptions) {
    const sent = await this.#send(endpoint, parts, options, () => false);
    return { ...sent, envelope: sent.envelope as Envelope };
  }

  async #send(
    endpoint: EndpointFacts,
    parts: RequestParts,
    options: KeyedCallOptions,
    leaveBody: (response: Response) => boolean,
  ) {
    const prepared = await this.#prepare(endpoint, parts, options);
    const retriesMax = options.maxRetries ?? this.#options.maxRetries ?? DEFAULT_RETRIES;
    let isOpen = false;
    for (let retries = 0; ; retries += 1) {
      try {
        const { response, envelope } = await this.#try(prepared, retries, leaveBody);
        const { headers, status } = response;
        return {
          response,
          envelope,
          status,
          headers,
          retries,
          requestId: requestIdOf(response),
          idempotencyKey: prepared.key,
          isReplay: headers.get('idempotency-replay') === 'true',
        };
      } catch (error) {
        if (!isHoldfastError(error)) throw error;
        isOpen ||= !error.isOutcomeKnown;
        // An earlier attempt may have arrived: a refused connection says nothing of that one.
        const failed = isOpen && !isDecisive(error) ? withOpenOutcome(error) : error;
        if (retries >= retriesMax || !mayRepeat(endpoint, parts, error)) throw failed;
        const pause = pauseBefore(retries, error);
        if (pause === undefined) throw failed;
        await sleep(pause, options.signal).catch(() => Promise.reject(failed));
      }
    }
  }

  async #prepare(
    endpoint: EndpointFacts,
    parts: RequestParts,
    options: KeyedCallOptions,
  ): Promise<Prepared> {
    const path = pathOf(endpoint, parts.params);
    const key = await keyOf(endpoint, path, options.idempotencyKey);
    return {
      endpoint,
      parts,
      options,
      url: `${this.baseUrl}${this.#surface.base}${path}${queryOf(parts.query)}`,
      key,
      context: {
        what: `${endpoint.method} ${path}`,
        baseUrl: this.baseUrl,
        idempotencyKey: key,
        isRead: endpoint.method === 'GET',
      },
    };
  }

  async #try(
    prepared: Prepared,
    attemptNumber: number,
    leaveBody: (response: Response) => boolean,
  ): Promise<Read> {
    const { endpoint, url, context } = prepared;
    const headers = this.#headersOf(prepared);
    const request = { endpoint: endpoint.id, method: endpoint.method, url, headers };
    const outgoing = { ...request, attempt: attemptNumber };
    this.#options.onRequest?.(outgoing);
    const startedAt = now();
    const report = (end: Pick<AttemptReport, 'status' | 'requestId' | 'error'>) =>
      this.#options.onResponse?.({ ...outgoing, durationMs: now() - startedAt, ...end });
    try {
      const how = this.#attemptOptions(prepared);
      const { response, text } = await attempt(outgoing, how, leaveBody);
      if (!response.ok) throw this.#surface.failure(response, text ?? '', context);
      // Half of a response is not a response: the whole body is read before it counts.
      const envelope = text === undefined ? undefined : this.#surface.read(response, text, context);
      report({ status: response.status, requestId: requestIdOf(response), error: undefined });
      return { response, envelope };
    } catch (error) {
      const { status, requestId } = error as HoldfastError;
      if (isHoldfastError(error)) report({ status, requestId, error });
      throw error;
    }
  }

  #attemptOptions({ parts, options }: Prepared) {
    return {
      fetch: this.#options.fetch ?? globalThis.fetch.bind(globalThis),
      timeoutMs: options.timeoutMs ?? this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      signal: options.signal,
      credentials: this.#options.session === undefined ? undefined : ('include' as const),
      body: bodyText(parts.body),
    };
  }

  #headersOf({ parts, options, key }: Prepared): Headers {
    const headers = new Headers({
      accept: 'application/json',
      ...this.#options.headers,
      ...options.headers,
    });
    if (this.#apiKey && !headers.has('authorization')) {
      headers.set('authorization', `Bearer ${this.#apiKey}`);
    }
    const own = operatorHeaders(this.#options.session, options.reason);
    for (const [name, value] of own) headers.set(name, value);
    if (bodyText(parts.body) !== undefined) headers.set('content-type', 'application/json');
    if (key !== undefined) headers.set('idempotency-key', key);
    return headers;
  }
}

/** The key of all attempts of one call, where one is honoured. */
async function keyOf(
  { id, method, repeat, reference }: EndpointFacts,
  path: string,
  given: string | undefined,
): Promise<string | undefined> {
  if (repeat === 'keyed')
    return given === undefined ? newKey() : keyFrom(given, `${method} ${path}`);
  if (given === undefined) return undefined;
  // Accepted silently it would promise more than the service does.
  const instead = reference === undefined ? '' : `; use ${reference} in the body instead`;
  throw new TypeError(`${id} does not support idempotencyKey${instead}`);
}

/** An input with nothing in it is left out, which the service takes for the same. */
function bodyText(body: object | undefined): string | undefined {
  return body === undefined || Object.keys(body).length === 0 ? undefined : JSON.stringify(body);
}
