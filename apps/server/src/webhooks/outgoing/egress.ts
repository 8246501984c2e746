//! The only code that sends webhooks: it checks and pins addresses, and follows no redirect. A name
//! is resolved once for a connection, and the connection goes to that address.
import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import {
  addressIn,
  checkAddress,
  EgressRefusal,
  type EgressRules,
  isLoopback,
  notPublic,
  readTarget,
} from './address-policy.ts';

/** Every address of a name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface EgressOptions extends EgressRules {
  readonly resolve?: Resolve;
  /** For one exchange, from resolving the name to the end of the response. */
  readonly exchangeMsMax?: number;
}

/** The outcome of one message: a status, or the reason why there is none. */
export interface Exchange {
  readonly status: number | null;
  readonly latencyMs: number;
  /** Its first bytes; null without a response. */
  readonly response: string | null;
  /** One of a few, so that a marketplace cannot explore our network with webhooks. */
  readonly reason: string | null;
  /** Why there is no response, for our log only. */
  readonly detail: string | null;
}

const EXCHANGE_MS_MAX = 10_000;
const RESPONSE_BYTES_MAX = 1024;
const IDLE_MS_MAX = 30_000;
const FREE_SOCKETS_MAX = 64;

const resolver = new Resolver({ timeout: 2000, tries: 2 });

/**
 * Queries the name servers directly: the system resolver has few threads for the whole process, and
 * slow names of one marketplace would delay all others. This machine's own name comes from a table
 * of the system.
 */
const systemResolve: Resolve = async (hostname) => {
  if (/(^|\.)localhost$/.test(hostname)) return lookup(hostname, { all: true, order: 'ipv4first' });
  const lookups = [resolver.resolve4(hostname), resolver.resolve6(hostname)];
  const [v4, v6] = await Promise.allSettled(lookups);
  const addressesOf = (resolved: typeof v4, family: number) =>
    resolved?.status === 'fulfilled' ? resolved.value.map((address) => ({ address, family })) : [];
  const addresses = [...addressesOf(v4, 4), ...addressesOf(v6, 6)];
  if (addresses.length === 0 && v4?.status === 'rejected') throw v4.reason;
  return addresses;
};

export class Egress {
  readonly #rules: EgressRules;
  readonly #resolve: Resolve;
  readonly #exchangeMsMax: number;
  readonly #http: HttpAgent;
  readonly #https: HttpsAgent;

  constructor({ resolve = systemResolve, exchangeMsMax, ...rules }: EgressOptions) {
    this.#rules = rules;
    this.#resolve = resolve;
    this.#exchangeMsMax = exchangeMsMax ?? EXCHANGE_MS_MAX;
    const agentOptions = {
      keepAlive: true,
      timeout: IDLE_MS_MAX,
      maxFreeSockets: FREE_SOCKETS_MAX,
    };
    this.#http = new HttpAgent(agentOptions);
    this.#https = new HttpsAgent(agentOptions);
  }

  /** Throws an EgressRefusal when nothing would be sent there now. */
  async check(text: string): Promise<void> {
    const url = readTarget(text, this.#rules);
    if (addressIn(url) === undefined) await this.#resolveOnce(url);
    else this.#checkScheme(url, [addressIn(url) as string]);
  }

  /** One exchange. Never throws: a failure is part of its result. */
  async post(
    text: string,
    headers: Readonly<Record<string, string>>,
    body: Buffer,
    signal: AbortSignal,
  ): Promise<Exchange> {
    const startedAt = performance.now();
    const timeout = AbortSignal.timeout(this.#exchangeMsMax);
    const latencyMs = () => Math.round(performance.now() - startedAt);
    try {
      const url = readTarget(text, this.#rules);
      const address = addressIn(url);
      if (address !== undefined) this.#checkScheme(url, [address]);
      const ending = AbortSignal.any([timeout, signal]);
      const response = await this.#send(url, headers, body, ending);
      const status = response.statusCode ?? 0;
      const excerpt = await firstBytesOf(response, ending);
      const reason = reasonOf(status);
      return { status, latencyMs: latencyMs(), response: excerpt, reason, detail: null };
    } catch (error) {
      const [reason, detail] = timeout.aborted
        ? [NO_RESPONSE, `no response within ${this.#exchangeMsMax / 1000} s`]
        : failureOf(error as NodeJS.ErrnoException);
      // By the time that a name took to resolve, one of our network would stand out.
      const tookMs = error instanceof EgressRefusal ? 0 : latencyMs();
      return { status: null, latencyMs: tookMs, response: null, reason, detail };
    }
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  #send(
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: Buffer,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const isSecure = url.protocol === 'https:';
    return new Promise((resolve, reject) => {
      const options = {
        method: 'POST',
        headers: { ...headers, 'content-length': body.length },
        lookup: this.#lookup(url),
        // A name with many addresses has one connection: to the address that was checked.
        autoSelectFamily: false,
        signal,
      };
      const sent = isSecure
        ? requestHttps(url, { ...options, agent: this.#https })
        : requestHttp(url, { ...options, agent: this.#http });
      sent.once('response', resolve);
      // An upgrade was not requested: the response ends here, and its connection is closed.
      sent.once('upgrade', (response, socket) => {
        socket.destroy();
        response.destroy();
        resolve(response);
      });
      // Also after the response, which is cut off where it is long.
      sent.on('error', reject);
      // For any other end of the connection: the caller waits no longer than the signal.
      sent.once('close', () => reject(new Error('closed without a response')));
      signal.addEventListener('abort', () => reject(new Error('broken off')), { once: true });
      sent.end(body);
    });
  }

  /** Called once for every connection. Name, certificate and Host stay those of the URL. */
  #lookup(url: URL): LookupFunction {
    return (_hostname, options, done) => {
      this.#resolveOnce(url).then(
        (pinned) => {
          if (options.all) done(null, [pinned]);
          else done(null, pinned.address, pinned.family);
        },
        (error: Error) => done(error as NodeJS.ErrnoException, '', 4),
      );
    };
  }

  /** One bad address among several refuses the name: the next connection might use it. */
  async #resolveOnce(url: URL): Promise<LookupAddress> {
    const addresses = await this.#resolve(url.hostname).catch((error: Error) => {
      throw notPublic(`${url.hostname} cannot be resolved: ${error.message}`);
    });
    for (const { address } of addresses) checkAddress(address, this.#rules);
    this.#checkScheme(
      url,
      addresses.map(({ address }) => address),
    );
    const [pinned] = addresses;
    if (pinned === undefined) throw notPublic(`${url.hostname} has no address`);
    return pinned;
  }

  #checkScheme(url: URL, addresses: readonly string[]): void {
    if (url.protocol !== 'https:' && !addresses.every(isLoopback))
      throw new EgressRefusal('the URL must use https');
  }
}

/** Reads only the stored length; a longer response loses its connection. */
function firstBytesOf(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = () => {
      const text = Buffer.concat(chunks).subarray(0, RESPONSE_BYTES_MAX).toString('utf8');
      // PostgreSQL's JSON cannot hold this character.
      resolve(text.replaceAll('\u0000', '\ufffd'));
    };
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes < RESPONSE_BYTES_MAX) return;
      response.destroy();
      end();
    });
    response.once('end', end);
    // The status is known: a response that breaks off, or ends too late, still counts.
    response.once('error', end);
    response.once('close', end);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted || response.destroyed) end();
  });
}

function reasonOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `HTTP status ${status}; redirects are not followed`;
  return `HTTP status ${status}`;
}

const NO_RESPONSE = 'No response';
const TLS_FAILED = 'TLS failed';
/** OpenSSL's words for certificates, and Node's for the rest. */
const TLS_CODES = /CERT|^CRL_|^ERR_(TLS|SSL)_|^EPROTO$|^UNABLE_TO_|^INVALID_|^PATH_|^HOSTNAME_/;

function failureOf(error: NodeJS.ErrnoException): readonly [reason: string, detail: string] {
  if (error instanceof EgressRefusal) return [`Not sent: ${error.message}`, error.detail];
  const detail = (error.code ?? error.message).slice(0, 200);
  return [TLS_CODES.test(error.code ?? '') ? TLS_FAILED : NO_RESPONSE, detail];
}
