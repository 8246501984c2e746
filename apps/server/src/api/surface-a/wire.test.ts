//! Tests every served route against every kind of wrong request.
import { type Endpoint, errorsOf, pathParameters } from '@holdfast/contract/endpoint';
import { type ErrorCode, statusOf } from '@holdfast/contract/errors';
import { surfaceA } from '@holdfast/contract/surface-a';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { afterEach, describe, expect, it } from 'vitest';
import { resumePayouts } from '../../payments/withdrawals/payouts-pause.ts';
import { transact } from '../../platform/database/transact.ts';
import { useEscrowWorld } from '../../testing/escrows.ts';
import {
  namesInQuery,
  ownIds,
  rightBody,
  rightQuery,
  unknownIds,
  unknownLike,
} from '../../testing/right-requests.ts';
import { unmatchedNotification } from '../../testing/scenarios/console-scenarios.ts';
import { operatorHeaders } from '../../testing/scenarios/operator-scenarios.ts';
import { expectRecorded } from '../../testing/scenarios/recorded-writes.ts';
import { listen, openSse, type SseReader } from '../../testing/sse.ts';
import { eventually } from '../../testing/until.ts';
import { useOpened } from '../../testing/use-world.ts';
import type { ApiResponse, Market } from '../../testing/world.ts';

const endpoints = Object.values<Endpoint>(surfaceA);

const LACKING = { read: ['write'], write: ['read'], support: ['read', 'write'] } as const;

const { world, market } = useEscrowWorld();
const otherMarket = useOpened(() => world.market());

const cached = new Map<string, Promise<Readonly<Record<string, string>>>>();

/** One of each kind is enough for a request that is refused before its state is checked. */
function cachedIds(endpoint: Endpoint, owner: Market): Promise<Readonly<Record<string, string>>> {
  const [prefix = ''] = endpoint.path.split('{');
  const kind = [owner.id, prefix, JSON.stringify(endpoint.params)].join(' ');
  const ids = cached.get(kind) ?? ownIds(world, endpoint, owner);
  cached.set(kind, ids);
  return ids;
}

interface Wrong {
  readonly key?: string | undefined;
  readonly ids?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A valid request to the endpoint, except for the given faults. */
async function send(endpoint: Endpoint, wrong: Wrong = {}): Promise<ApiResponse> {
  // A wrong key is refused at authentication, before the resource matters.
  const isStopped = 'key' in wrong && wrong.ids === undefined && !namesInQuery(endpoint);
  const ids = isStopped
    ? unknownIds(endpoint)
    : (wrong.ids ?? (await ownIds(world, endpoint, market)));
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'm1');
  const query = namesInQuery(endpoint)
    ? `?marketplaceId=${ids['marketplaceId']}`
    : rightQuery(endpoint);
  const key = 'key' in wrong ? wrong.key : isMasters(endpoint) ? world.masterKey : keyOf(endpoint);
  if (isStream(endpoint)) return headOf(await openSse(await listen(world), { key, query }));
  const body = wrong.body ?? (await rightBody(endpoint, { world, owner: market, ids }));
  const headers = 'key' in wrong ? undefined : await operatorHeaders(endpoint, { world, market });
  const sending = { key, ...(body === undefined ? {} : { body }), ...(headers && { headers }) };
  return world.send(endpoint.method, `${path}${query}`, sending);
}

const isMasters = ({ scope }: Endpoint) => scope === 'master' || scope === 'platform';
const isOperators = ({ scope }: Endpoint) => scope === 'session' || scope === 'operator';
/** Routes for people need no key. */
const keyOf = (endpoint: Endpoint) => (isOperators(endpoint) ? undefined : market.key);

const isStream = ({ rawResponse }: Endpoint) => rawResponse === 'event-stream';

/** A stream does not end: the test reads its headers, and disconnects. */
function headOf(reader: SseReader): ApiResponse {
  const { status, headers, text } = reader;
  reader.close();
  return { status, headers, text, json: status === 200 ? undefined : JSON.parse(text) };
}

function expectRefusal(endpoint: Endpoint, response: ApiResponse, code: ErrorCode): void {
  expect({ status: response.status, code: response.json?.error?.code }).toEqual({
    status: statusOf(code, endpoint),
    code,
  });
  expect(errorsOf(endpoint), 'the contract declares it').toContain(code);
  expect(Object.keys(response.json)).toEqual(['error']);
}

const isSigned = ({ scope }: Endpoint) => scope === 'signature';
const isKeyed = (endpoint: Endpoint) => endpoint.scope !== 'public' && !isSigned(endpoint);
const hasOwner = (endpoint: Endpoint) =>
  !isMasters(endpoint) &&
  endpoint.scope !== 'public' &&
  (pathParameters(endpoint.path).length > 0 || namesInQuery(endpoint)) &&
  endpoint.errors.some((code) => code.endsWith('_NOT_FOUND'));

/** Registers a test only where it applies: nothing is skipped. */
const when = (fits: boolean) => (name: string, test: () => Promise<void>) => {
  if (fits) it(name, test);
};

/** A refused request to it would leave payouts paused for all tests. */
const resumeForOthers = () =>
  transact(world.app, market.call, async (tx) => void (await resumePayouts(tx, 'over', 'test')));

const liftForOthers = async () => {
  const body = { level: 'PAYOUTS', reason: 'over' };
  const sending = { key: world.masterKey, body };
  await world.send('POST', `/marketplaces/${market.id}/stop/lift`, sending);
};

const openForOthers = async () => void (await world.rows(`update lineage set status = 'OPEN'`));

it('serves exactly the endpoints of the contract', () => {
  expect(world.http.served.map(({ endpoint }) => endpoint.id).sort()).toEqual(
    Object.keys(surfaceA).sort(),
  );
});

it('does not start with a route that is not in the contract', () => {
  const route = { method: 'GET', url: '/open', handler: async () => 'hello' } as const;
  expect(() => world.http.route(route)).toThrow(/contract|already/i);
});

describe.each(
  endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
)('%s', (_, endpoint) => {
  if (/^(pause|resume)Payouts$/.test(endpoint.id)) afterEach(resumeForOthers);
  if (endpoint.path.includes('/stop')) afterEach(liftForOthers);
  if (endpoint.id === 'openDatabase') afterEach(openForOthers);

  it('returns the declared response to a valid request', async () => {
    if (endpoint.id === 'revokeApiKey' || endpoint.id === 'rotateApiKey') {
      const other = await world.market();
      return expectSuccess(endpoint, await send(endpoint, { ids: { id: other.keyId } }));
    }
    if (isStream(endpoint)) return expectStream(endpoint);
    const response = await send(endpoint);
    expectSuccess(endpoint, response);
    await expectRecorded(world, endpoint, response);
  });

  when(isKeyed(endpoint))('returns 401 without a key', async () => {
    expectRefusal(endpoint, await send(endpoint, { key: undefined }), 'UNAUTHORIZED');
  });

  when(isKeyed(endpoint))(
    'returns 401 to a wrong key, a mistyped one and a foreign scheme',
    async () => {
      const mistyped = `${market.key.slice(0, -1)}${market.key.endsWith('a') ? 'b' : 'a'}`;
      for (const key of [
        'hf_wrong',
        mistyped,
        `eyJhbGciOiJub25lIn0.${Buffer.from('{"sub":"x"}').toString('base64url')}.`,
      ]) {
        expectRefusal(endpoint, await send(endpoint, { key }), 'UNAUTHORIZED');
      }
    },
  );

  when(endpoint.scope in LACKING)('returns 403 to a key without its scope', async () => {
    const scopes = [...LACKING[endpoint.scope as 'read']];
    const lacking = await world.market({
      scopes: scopes as ('read' | 'write')[],
      marketplaceId: market.id,
    });
    expectRefusal(endpoint, await send(endpoint, { key: lacking.key }), 'INSUFFICIENT_SCOPE');
  });

  when(isMasters(endpoint))('returns 403 to every key but the master key', async () => {
    expectRefusal(endpoint, await send(endpoint, { key: market.key }), 'INSUFFICIENT_SCOPE');
  });

  when(isKeyed(endpoint) && endpoint.scope !== 'master' && endpoint.master !== true)(
    'does not know the master key',
    async () => {
      expectRefusal(endpoint, await send(endpoint, { key: world.masterKey }), 'UNAUTHORIZED');
    },
  );

  when(endpoint.master === true)('knows the master key too', async () => {
    const isNotification = endpoint.path.startsWith('/inbox/{id}');
    const ids = isNotification
      ? { id: (await unmatchedNotification({ world })).id }
      : await ownIds(world, endpoint, market);
    const { status, text } = await send(endpoint, { key: world.masterKey, ids });
    expect(status, text).toBe(endpoint.success.status);
  });

  when(hasOwner(endpoint))(
    "returns the same bytes for another marketplace's id as for an unknown one",
    async () => {
      const foreign = await cachedIds(endpoint, otherMarket);
      const [[name, id]] = Object.entries(foreign) as [[string, string]];
      const unknown = unknownLike(id);
      const responses = [
        await send(endpoint, { ids: foreign }),
        await send(endpoint, { ids: { [name]: unknown } }),
      ];
      for (const response of responses) {
        const code = endpoint.errors.find((each) => each.endsWith('_NOT_FOUND')) as ErrorCode;
        expectRefusal(endpoint, response, code);
      }
      expect(responses[0]?.text.replaceAll(id, unknown)).toBe(responses[1]?.text);
    },
  );

  when(endpoint.params !== undefined || namesInQuery(endpoint))(
    'returns 400 to an id of the wrong shape',
    async () => {
      const [name] = [...pathParameters(endpoint.path), 'marketplaceId'] as [string];
      const ids = { [name]: 'nonsense' };
      expectRefusal(endpoint, await send(endpoint, { ids }), 'VALIDATION_ERROR');
    },
  );

  // Providers may send more than we know of.
  when(endpoint.body !== undefined && !isSigned(endpoint))(
    'returns 400 to a stray property, naming it, and changes nothing',
    async () => {
      const ids = await cachedIds(endpoint, market);
      const right = await rightBody(endpoint, { world, owner: market, ids });
      const before = await world.rows('select count(*) from audit');
      const response = await send(endpoint, { body: { ...right, noSuchProperty: 'x' }, ids });
      expectRefusal(endpoint, response, 'VALIDATION_ERROR');
      expect(response.json.error.details.validationErrors.join(' ')).toContain('noSuchProperty');
      expect(await world.rows('select count(*) from audit')).toEqual(before);
    },
  );

  it('carries request id and rate limit on a refusal, too', async () => {
    expectLabelled(await send(endpoint, { key: 'hf_wrong' }));
  });
});

const LABELS = ['request-id', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];

function expectLabelled({ headers }: Pick<ApiResponse, 'headers'>): void {
  for (const name of LABELS) expect(headers).toHaveProperty(`x-${name}`);
}

/** Headers and first message; the tests of the stream cover the rest. */
async function expectStream(endpoint: Endpoint): Promise<void> {
  const reader = await openSse(await listen(world), { key: market.key });
  expect(reader.status).toBe(endpoint.success.status);
  expectLabelled(reader);
  expect(reader.headers['content-type']).toMatch(/^text\/event-stream(;|$)/);
  await market.user();
  await world.sequence();
  await eventually(3000, () => expect(reader.events.length).toBeGreaterThan(0));
  reader.close();
  const faults = Compile(endpoint.success.data).Errors(reader.events[0]);
  expect([...faults], 'the data is as declared').toEqual([]);
}

function expectSuccess(endpoint: Endpoint, response: ApiResponse): void {
  const { status, also, data, list } = endpoint.success;
  expect([status, also], response.text).toContain(response.status);
  expectLabelled(response);
  if (endpoint.rawResponse === 'redirect') {
    expect(response.headers['location']).toMatch(/^https?:/);
    return;
  }
  if (endpoint.rawResponse === 'json') {
    expect([...Compile(data).Errors(response.json)], 'the data is as declared').toEqual([]);
    return;
  }
  const shape = list
    ? Type.Object(
        {
          success: Type.Literal(true),
          data: Type.Array(data),
          hasMore: Type.Boolean(),
          nextCursor: Type.Union([Type.String(), Type.Null()]),
        },
        { additionalProperties: false },
      )
    : Type.Object({ success: Type.Literal(true), data }, { additionalProperties: false });
  const faults = Compile(shape).Errors(response.json.data);
  expect([...faults], 'the data is as declared').toEqual([]);
  expect(response.json.meta).toEqual({
    requestId: response.headers['x-request-id'],
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
  });
}
