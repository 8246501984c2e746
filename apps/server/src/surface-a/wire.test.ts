//! Every route that is served, against every way in which a caller can be wrong.
import { type Endpoint, errorsOf, pathParameters } from '@holdfast/contract/endpoint';
import { type ErrorCode, statusOf } from '@holdfast/contract/errors';
import { surfaceA } from '@holdfast/contract/surface-a';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { transact } from '../platform/transact.ts';
import { nobodysNotice } from '../testing/console-scenarios.ts';
import { type EscrowWorld, openEscrowWorld } from '../testing/escrows.ts';
import { operatorHeaders } from '../testing/operator-scenarios.ts';
import {
  namesInQuery,
  ownIds,
  rightBody,
  rightQuery,
  unknownIds,
  unknownLike,
} from '../testing/right-requests.ts';
import { SERVED } from '../testing/served.ts';
import { listen, openSse, type SseReader } from '../testing/sse.ts';
import { eventually } from '../testing/until.ts';
import type { Answer, Market } from '../testing/world.ts';
import { resumePayouts } from '../withdrawals/payouts-pause.ts';

const endpoints: Endpoint[] = SERVED.map((name) => surfaceA[name]);

const LACKING = { read: ['write'], write: ['read'], support: ['read', 'write'] } as const;

let world: EscrowWorld;
let market: Market;
let stranger: Market;
beforeAll(async () => {
  world = await openEscrowWorld();
  [market, stranger] = [await world.market(), await world.market()];
});
afterAll(() => world.close());

const kept = new Map<string, Promise<Readonly<Record<string, string>>>>();

/** One of each kind is enough for a request that is refused before its state is looked at. */
function keptIds(endpoint: Endpoint, owner: Market): Promise<Readonly<Record<string, string>>> {
  const [place = ''] = endpoint.path.split('{');
  const kind = [owner.id, place, JSON.stringify(endpoint.params)].join(' ');
  const ids = kept.get(kind) ?? ownIds(world, endpoint, owner);
  kept.set(kind, ids);
  return ids;
}

interface Wrong {
  readonly key?: string | undefined;
  readonly ids?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A right request to the endpoint, wrong in what is given. */
async function send(endpoint: Endpoint, wrong: Wrong = {}): Promise<Answer> {
  // A wrong key gets no further than the door, whatever it asks for.
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
/** People come without one. */
const keyOf = (endpoint: Endpoint) => (isOperators(endpoint) ? undefined : market.key);

const isStream = ({ rawResponse }: Endpoint) => rawResponse === 'event-stream';

/** A stream has no end to wait for: its head is looked at, and it is left. */
function headOf(reader: SseReader): Answer {
  const { status, headers, text } = reader;
  reader.close();
  return { status, headers, text, json: status === 200 ? undefined : JSON.parse(text) };
}

function expectRefusal(endpoint: Endpoint, answer: Answer, code: ErrorCode): void {
  expect({ status: answer.status, code: answer.json?.error?.code }).toEqual({
    status: statusOf(code, endpoint),
    code,
  });
  expect(errorsOf(endpoint), 'the contract declares it').toContain(code);
  expect(Object.keys(answer.json)).toEqual(['error']);
}

const isSigned = ({ scope }: Endpoint) => scope === 'signature';
const isKeyed = (endpoint: Endpoint) => endpoint.scope !== 'public' && !isSigned(endpoint);
const hasOwner = (endpoint: Endpoint) =>
  !isMasters(endpoint) &&
  endpoint.scope !== 'public' &&
  (pathParameters(endpoint.path).length > 0 || namesInQuery(endpoint)) &&
  endpoint.errors.some((code) => code.endsWith('_NOT_FOUND'));

/** A test only where it means something: nothing is skipped. */
const when = (fits: boolean) => (name: string, test: () => Promise<void>) => {
  if (fits) it(name, test);
};

/** A request for it that is refused leaves payouts paused, for everybody. */
const resumeForOthers = () =>
  transact(world.app, market.call, async (tx) => void (await resumePayouts(tx, 'over', 'test')));

it('serves exactly the endpoints of the list, and each from the contract', () => {
  expect(world.http.served.map(({ endpoint }) => endpoint.id).sort()).toEqual([...SERVED].sort());
});

it('does not start with a route that the contract does not know', () => {
  const route = { method: 'GET', url: '/open', handler: async () => 'hello' } as const;
  expect(() => world.http.route(route)).toThrow(/contract|already/i);
});

describe.each(
  endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
)('%s', (_, endpoint) => {
  if (endpoint.id === 'resumePayouts') afterEach(resumeForOthers);

  it('answers a right request as declared', async () => {
    if (endpoint.id === 'revokeApiKey' || endpoint.id === 'rotateApiKey') {
      const other = await world.market();
      return expectSuccess(endpoint, await send(endpoint, { ids: { id: other.keyId } }));
    }
    if (isStream(endpoint)) return expectStream(endpoint);
    return expectSuccess(endpoint, await send(endpoint));
  });

  when(isKeyed(endpoint))('answers 401 without a key', async () => {
    expectRefusal(endpoint, await send(endpoint, { key: undefined }), 'UNAUTHORIZED');
  });

  when(isKeyed(endpoint))(
    'answers 401 to a wrong key, a mistyped one and a foreign scheme',
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

  when(endpoint.scope in LACKING)('answers 403 to a key without its scope', async () => {
    const scopes = [...LACKING[endpoint.scope as 'read']];
    const lacking = await world.market({
      scopes: scopes as ('read' | 'write')[],
      marketplaceId: market.id,
    });
    expectRefusal(endpoint, await send(endpoint, { key: lacking.key }), 'INSUFFICIENT_SCOPE');
  });

  when(isMasters(endpoint))('answers 403 to every key but the master key', async () => {
    expectRefusal(endpoint, await send(endpoint, { key: market.key }), 'INSUFFICIENT_SCOPE');
  });

  when(isKeyed(endpoint) && endpoint.scope !== 'master' && endpoint.master !== true)(
    'does not know the master key',
    async () => {
      expectRefusal(endpoint, await send(endpoint, { key: world.masterKey }), 'UNAUTHORIZED');
    },
  );

  when(endpoint.master === true)('knows the master key too', async () => {
    const isNotice = endpoint.path.startsWith('/inbox/{id}');
    const ids = isNotice
      ? { id: (await nobodysNotice({ world })).id }
      : await ownIds(world, endpoint, market);
    const { status, text } = await send(endpoint, { key: world.masterKey, ids });
    expect(status, text).toBe(endpoint.success.status);
  });

  when(hasOwner(endpoint))(
    "answers another marketplace's id as it answers an unknown one, to the byte",
    async () => {
      const foreign = await keptIds(endpoint, stranger);
      const [[name, id]] = Object.entries(foreign) as [[string, string]];
      const unknown = unknownLike(id);
      const answers = [
        await send(endpoint, { ids: foreign }),
        await send(endpoint, { ids: { [name]: unknown } }),
      ];
      for (const answer of answers) {
        const code = endpoint.errors.find((each) => each.endsWith('_NOT_FOUND')) as ErrorCode;
        expectRefusal(endpoint, answer, code);
      }
      expect(answers[0]?.text.replaceAll(id, unknown)).toBe(answers[1]?.text);
    },
  );

  when(endpoint.params !== undefined || namesInQuery(endpoint))(
    'answers 400 to an id of the wrong shape',
    async () => {
      const [name] = [...pathParameters(endpoint.path), 'marketplaceId'] as [string];
      const ids = { [name]: 'nonsense' };
      expectRefusal(endpoint, await send(endpoint, { ids }), 'VALIDATION_ERROR');
    },
  );

  // Providers may say more than we know of.
  when(endpoint.body !== undefined && !isSigned(endpoint))(
    'answers 400 to a stray property, naming it, and changes nothing',
    async () => {
      const ids = await keptIds(endpoint, market);
      const right = await rightBody(endpoint, { world, owner: market, ids });
      const before = await world.rows('select count(*) from audit');
      const answer = await send(endpoint, { body: { ...right, noSuchProperty: 'x' }, ids });
      expectRefusal(endpoint, answer, 'VALIDATION_ERROR');
      expect(answer.json.error.details.validationErrors.join(' ')).toContain('noSuchProperty');
      expect(await world.rows('select count(*) from audit')).toEqual(before);
    },
  );

  it('carries request id and rate limit on a refusal, too', async () => {
    expectLabelled(await send(endpoint, { key: 'hf_wrong' }));
  });
});

const LABELS = ['request-id', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];

function expectLabelled({ headers }: Pick<Answer, 'headers'>): void {
  for (const name of LABELS) expect(headers).toHaveProperty(`x-${name}`);
}

/** Head and first message; that more follow is for the tests of the stream. */
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

function expectSuccess(endpoint: Endpoint, answer: Answer): void {
  const { status, also, data, list } = endpoint.success;
  expect([status, also], answer.text).toContain(answer.status);
  expectLabelled(answer);
  if (endpoint.rawResponse === 'redirect') {
    expect(answer.headers['location']).toMatch(/^https?:/);
    return;
  }
  if (endpoint.rawResponse === 'json') {
    expect([...Compile(data).Errors(answer.json)], 'the data is as declared').toEqual([]);
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
  const faults = Compile(shape).Errors(answer.json.data);
  expect([...faults], 'the data is as declared').toEqual([]);
  expect(answer.json.meta).toEqual({
    requestId: answer.headers['x-request-id'],
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
  });
}
