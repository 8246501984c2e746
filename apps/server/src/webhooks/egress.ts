//! The only door through which webhooks leave: addresses are checked, pinned, and nothing is
//! followed. A name is resolved once for a connection, and the connection goes where that said.
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
  readTarget,
} from './address-policy.ts';

/** Every address of a name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface EgressParts extends EgressRules {
  readonly resolve?: Resolve;
  /** For one exchange, from the name to the end of the answer. */
  readonly exchangeMsMax?: number;
}

/** What came of one message: a status, or the reason why there is none. */
export interface Exchange {
  readonly status: number | null;
  readonly latencyMs: number;
  /** Its beginning; null when no answer came. */
  readonly answer: string | null;
  readonly reason: string | null;
}

const EXCHANGE_MS_MAX = 10_000;
const ANSWER_BYTES_MAX = 1024;
const IDLE_MS_MAX = 30_000;
const FREE_SOCKETS_MAX = 64;

const resolver = new Resolver({ timeout: 2000, tries: 2 });

/**
 * Asks the name servers by itself: the system's way has few threads for the whole process, and
 * slow names of one marketplace would keep those of all others waiting. This machine's own name
 * stands in a table of the system.
 */
const systemResolve: Resolve = async (hostname) => {
  if (/(^|\.)localhost$/.test(hostname)) return lookup(hostname, { all: true, order: 'ipv4first' });
  const asked = [resolver.resolve4(hostname), resolver.resolve6(hostname)];
  const [v4, v6] = await Promise.allSettled(asked);
  const addressesOf = (answer: typeof v4, family: number) =>
    answer?.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
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

  constructor({ resolve = systemResolve, exchangeMsMax, ...rules }: EgressParts) {
    this.#rules = rules;
    this.#resolve = resolve;
    this.#exchangeMsMax = exchangeMsMax ?? EXCHANGE_MS_MAX;
    const kept = { keepAlive: true, timeout: IDLE_MS_MAX, maxFreeSockets: FREE_SOCKETS_MAX };
    this.#http = new HttpAgent(kept);
    this.#https = new HttpsAgent(kept);
  }

  /** Throws an EgressRefusal when nothing would be sent there now. */
  async check(text: string): Promise<void> {
    const url = readTarget(text, this.#rules);
    if (addressIn(url) === undefined) await this.#resolveOnce(url);
    else this.#checkScheme(url, [addressIn(url) as string]);
  }

  /** One exchange. Never throws: what went wrong is what it gives. */
  async post(
    text: string,
    headers: Readonly<Record<string, string>>,
    body: Buffer,
    signal: AbortSignal,
  ): Promise<Exchange> {
    const begun = performance.now();
    const timeout = AbortSignal.timeout(this.#exchangeMsMax);
    const latencyMs = () => Math.round(performance.now() - begun);
    try {
      const url = readTarget(text, this.#rules);
      const address = addressIn(url);
      if (address !== undefined) this.#checkScheme(url, [address]);
      const ending = AbortSignal.any([timeout, signal]);
      const response = await this.#send(url, headers, body, ending);
      const status = response.statusCode ?? 0;
      const answer = await beginningOf(response, ending);
      return { status, latencyMs: latencyMs(), answer, reason: reasonOf(status) };
    } catch (error) {
      const reason = timeout.aborted
        ? `no answer within ${this.#exchangeMsMax / 1000} s`
        : wordsOf(error as NodeJS.ErrnoException);
      return { status: null, latencyMs: latencyMs(), answer: null, reason };
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
        // A name with many addresses has one connection: to the one that was checked.
        autoSelectFamily: false,
        signal,
      };
      const sent = isSecure
        ? requestHttps(url, { ...options, agent: this.#https })
        : requestHttp(url, { ...options, agent: this.#http });
      sent.once('response', resolve);
      // Nobody asked for another protocol: its answer is over, and its connection is not ours.
      sent.once('upgrade', (response, socket) => {
        socket.destroy();
        response.destroy();
        resolve(response);
      });
      // Also after the answer, which is cut off where it is long.
      sent.on('error', reject);
      // However else it ends, and whatever Node makes of it, nobody waits longer than the signal.
      sent.once('close', () => reject(new Error('closed without an answer')));
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

  /** One bad address among several spoils the name: who answers so may turn to it next time. */
  async #resolveOnce(url: URL): Promise<LookupAddress> {
    const addresses = await this.#resolve(url.hostname).catch((error: Error) => {
      throw new EgressRefusal(`${url.hostname} can't be resolved: ${error.message}`);
    });
    for (const { address } of addresses) checkAddress(address, this.#rules);
    this.#checkScheme(
      url,
      addresses.map(({ address }) => address),
    );
    const [pinned] = addresses;
    if (pinned === undefined) throw new EgressRefusal(`${url.hostname} has no address`);
    return pinned;
  }

  #checkScheme(url: URL, addresses: readonly string[]): void {
    if (url.protocol !== 'https:' && !addresses.every(isLoopback))
      throw new EgressRefusal('only https is used');
  }
}

/** As much as is kept, and no more is read; an answer that goes on loses its connection. */
function beginningOf(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = () => {
      const text = Buffer.concat(chunks).subarray(0, ANSWER_BYTES_MAX).toString('utf8');
      // PostgreSQL's JSON holds no such character.
      resolve(text.replaceAll('\u0000', '\ufffd'));
    };
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes < ANSWER_BYTES_MAX) return;
      response.destroy();
      end();
    });
    response.once('end', end);
    // The status is known: an answer that breaks off, or takes too long to end, is one.
    response.once('error', end);
    response.once('close', end);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted || response.destroyed) end();
  });
}

function reasonOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `answered ${status}; redirects are not followed`;
  return `answered ${status}`;
}

function wordsOf(error: NodeJS.ErrnoException): string {
  if (error instanceof EgressRefusal) return `refused: ${error.message}`;
  return (error.code ?? error.message).slice(0, 200);
}
