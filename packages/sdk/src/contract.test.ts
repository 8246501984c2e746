import { type Endpoint, errorsOf, pathParameters } from '@holdfast/contract/endpoint';
import { errors } from '@holdfast/contract/errors';
import { EVENT_NAMES } from '@holdfast/contract/events';
import { SURFACE_A_BASE, surfaceA } from '@holdfast/contract/surface-a';
import { surfaceB } from '@holdfast/contract/surface-b';
import { describe, expect, it } from 'vitest';
import type { EndpointFacts } from '#endpoint';
import { endpoints } from '#generated/endpoints';
import { memberEndpoints } from '#generated/members-endpoints';
import { EVENT_AGGREGATES, Holdfast, RETRY_RULES } from '#index';
import { Members } from '#members';

interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly isKeyed: boolean;
}

/** Calls every method of every resource once, with texts as arguments. */
async function everyCall(
  clients: (fetch: typeof globalThis.fetch) => object[],
): Promise<SentRequest[]> {
  const sent: SentRequest[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const headers = new Headers(init?.headers);
    const path = new URL(url instanceof Request ? url.url : url).pathname;
    sent.push({ method: init?.method ?? '', path, isKeyed: headers.has('idempotency-key') });
    return new Response('{"data":{"data":[],"hasMore":false},"ok":true}');
  };
  const skipped = /^(constructor|waitFor|checkout|consume|stream|streamWithCursor|now|handler|as)$/;
  for (const client of clients(fetch)) {
    for (const [name, call] of methodsOf(client)) {
      if (skipped.test(name)) continue;
      // Ids and names stand for themselves in the path; an input of text is as good as none.
      const given = call.call(client, 'one', 'two', 'three') as
        | Promise<unknown>
        | { page(): unknown };
      await ('page' in given ? given.page() : given);
    }
  }
  return sent;
}

function methodsOf(client: object): [string, (...args: unknown[]) => unknown][] {
  const found = new Map<string, (...args: unknown[]) => unknown>();
  for (let at = client; at !== Object.prototype; at = Object.getPrototypeOf(at) as object) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (typeof value === 'function' && !found.has(name)) found.set(name, value);
    }
  }
  return [...found];
}

/** Whether a request matches the contract's path, with its parameters filled in. */
function wasCalled(sent: readonly SentRequest[], endpoint: Endpoint, base: string): boolean {
  const form = endpoint.path.replace(/\{\w+\}/g, '[^/]+');
  const like = new RegExp(`^${base}${form}$`);
  return sent.some(
    ({ method, path, isKeyed }) =>
      method === endpoint.method && like.test(path) && isKeyed === endpoint.idempotent,
  );
}

describe('Surface A', () => {
  it('has a method for every endpoint, with a key exactly where one is honoured', async () => {
    const sent = await everyCall((fetch) => {
      const holdfast = new Holdfast({ apiKey: 'key', baseUrl: 'http://localhost', fetch });
      return Object.values(holdfast).filter((one): one is object => typeof one === 'object');
    });
    const missing = Object.values<Endpoint>(surfaceA)
      .filter((endpoint) => !wasCalled(sent, endpoint, SURFACE_A_BASE))
      .map(({ id }) => id);
    // The providers sign the first two, a person's browser follows the third, and the last is
    // events.stream.
    expect(missing.sort()).toEqual([
      'receiveEscrowWebhook',
      'receivePaymentWebhook',
      'streamEvents',
      'topupCallback',
    ]);
    expect(sent.length).toBeGreaterThanOrEqual(Object.keys(surfaceA).length - 4);
  });

  it('marks only calls that may be repeated as safe to repeat', () => {
    for (const endpoint of Object.values<Endpoint>(surfaceA)) {
      const facts = endpoints[endpoint.id as keyof typeof endpoints] as EndpointFacts;
      const { method, idempotent, path } = endpoint;
      const expected = method === 'GET' ? 'always' : idempotent ? 'keyed' : expect.any(String);
      expect([facts.path, facts.method, facts.repeat]).toEqual([path, method, expected]);
      if (facts.repeat === 'always') expect(method).toBe('GET');
      if (facts.repeat === 'keyed') expect(idempotent).toBe(true);
      if (facts.repeat === 'referenced') {
        expect(errorsOf(endpoint)).toContain('CLIENT_ORDER_REF_REUSED');
      }
      expect(pathParameters(facts.path)).toEqual(pathParameters(path));
    }
  });
});

describe('Surface B', () => {
  it('has a method for every endpoint', async () => {
    const sent = await everyCall((fetch) => [
      new Members({ token: 't', baseUrl: 'http://localhost', fetch }),
    ]);
    const missing = Object.values<Endpoint>(surfaceB).filter((one) => !wasCalled(sent, one, ''));
    expect(missing).toEqual([]);
    expect(Object.keys(memberEndpoints)).toEqual(Object.keys(surfaceB));
  });
});

describe('the catalogues', () => {
  it('have every error with its rule, and every event', () => {
    expect(RETRY_RULES).toEqual(
      Object.fromEntries(Object.entries(errors).map(([code, { retry }]) => [code, retry])),
    );
    expect(Object.keys(EVENT_AGGREGATES)).toEqual([...EVENT_NAMES]);
  });
});
