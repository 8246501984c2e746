//! Valid requests about operators and approvals: their senders, bodies and ids.
import type { Endpoint } from '@holdfast/contract/endpoint';
import { surfaceA } from '@holdfast/contract/surface-a';
import { approvalEndpoints } from '@holdfast/contract/surface-a/approvals';
import { operatorEndpoints } from '@holdfast/contract/surface-a/operators';
import { decodeBase32 } from '@holdfast/kernel/base32';
import { instantText } from '@holdfast/kernel/clock';
import { createApiKey } from '../../access/keys/create-api-key.ts';
import { totpCode } from '../../access/operators/totp.ts';
import { type Desk, desk, PASSWORD, person, SIGN_IN_HEADERS } from '../operators.ts';
import type { Market, World } from '../world.ts';
import { enroll, firstCode, invite, open } from './enrollment.ts';
import type { Scenario } from './order-scenarios.ts';

interface ScenarioContext {
  readonly world: World;
  readonly market: Market;
  /** Those in the path of the request. */
  readonly ids?: Readonly<Record<string, string>>;
}

type Body = Record<string, unknown>;

/** Two operators of each marketplace, created once: one requests, the other approves. */
const desks = new WeakMap<Market, Promise<readonly [Desk, Desk]>>();

function pairOf({ world, market }: ScenarioContext): Promise<readonly [Desk, Desk]> {
  const known = desks.get(market);
  if (known !== undefined) return known;
  const create = () => desk(world, { marketplaceId: market.id, role: 'admin' });
  const created = Promise.all([create(), create()]);
  desks.set(market, created);
  return created;
}

const leaving = new WeakMap<Market, Desk>();

/** An operator whose session the request may end. */
async function leavingOf({ world, market }: ScenarioContext): Promise<Desk> {
  const known = leaving.get(market);
  if (known && (await known.send('GET', '/operators/me')).status === 200) return known;
  const created = await desk(world);
  leaving.set(market, created);
  return created;
}

/** The headers beside a key, for callers that have no key. */
export async function operatorHeaders(
  { scope, id, path }: Endpoint,
  context: ScenarioContext,
): Promise<Record<string, string> | undefined> {
  if (id === 'signIn' || path.startsWith('/operators/enrollment')) return SIGN_IN_HEADERS;
  if (id === 'signOut' || id === 'endSession') return { ...(await leavingOf(context)).headers };
  if (scope !== 'session' && scope !== 'operator') return undefined;
  const [, second] = await pairOf(context);
  return { ...second.headers };
}

/** The confirmation codes of operators who wait for their activation. */
const codes = new Map<string, string>();

export const OPERATOR_BODIES: Readonly<
  Record<string, (context: ScenarioContext) => Body | Promise<Body>>
> = {
  signIn: async ({ world }) => {
    const { email, totpSecret } = await person(world);
    return {
      email,
      password: PASSWORD,
      totp: totpCode(totpSecret, world.app.operators.clock.now()),
    };
  },
  changePassword: async (context) => {
    const [, { totpSecret }] = await pairOf(context);
    // The current code was used to sign in.
    const totp = totpCode(totpSecret, context.world.app.operators.clock.now() + 30_000);
    return { password: PASSWORD, newPassword: PASSWORD, totp };
  },
  createOperator: ({ market }) => ({
    email: `${crypto.randomUUID()}@example.test`,
    name: 'Ada',
    password: PASSWORD,
    memberships: [{ marketplaceId: market.id, role: 'viewer' }],
  }),
  openInvitation: async ({ world }) => ({ token: (await invite(world)).token }),
  enroll: async ({ world }) => {
    const { token } = await invite(world);
    const { json } = await open(world, token);
    const totp = firstCode(world, decodeBase32(json.data.data.totpSecret));
    return { token, password: PASSWORD, totp };
  },
  activateOperator: ({ ids }) => ({ code: codes.get(ids?.['id'] ?? '') ?? '0000-0000' }),
  setMemberships: () => ({ memberships: [] }),
  setOperatorStatus: () => ({ status: 'DISABLED' }),
};

/** A key that the second operator requested and the first one approved. */
async function approvedKey(context: ScenarioContext): Promise<string> {
  const { world, market } = context;
  const [first, second] = await pairOf(context);
  const session = { id: '0', csrfToken: '', expiresAt: 0 };
  const named = { id: second.id, email: second.email, name: 'Ada', session, reason: 'a test' };
  const { marketplace } = market.call.actor;
  const within = { marketplaceId: market.id, marketplace, role: 'admin' } as const;
  const approvedBy = { id: first.id, name: 'Ada' };
  const { key } = await createApiKey(
    world.app,
    { ...market.call, actor: { kind: 'operator', ...named, ...within, approvedBy } },
    {
      name: 'shop',
      scopes: ['read'],
      marketplaceId: market.id,
      expiresAt: instantText(world.app.clock.now() + 3_600_000),
    },
  );
  return key.id;
}

/** Undefined for endpoints about something else. */
export async function operatorIds(
  { path }: Endpoint,
  context: ScenarioContext,
): Promise<string | undefined> {
  if (path.startsWith('/operators/me/sessions')) {
    const by = await leavingOf(context);
    const { json } = await by.send('GET', '/operators/me/sessions');
    return json.data.data.sessions[0].id;
  }
  if (path.endsWith('/secret')) return approvedKey(context);
  if (path.endsWith('/activate')) {
    const { id, code } = await enroll(context.world, await invite(context.world));
    codes.set(id, code);
    return id;
  }
  if (path.startsWith('/operators')) return (await person(context.world)).id;
  if (!path.startsWith('/approvals')) return undefined;
  const [requester] = await pairOf(context);
  const adjustment = `/users/${await context.market.user()}/balance/credit`;
  const { json } = await requester.send('POST', adjustment, { body: { amount: '1.00' } });
  return json.data.data.id;
}

/** Operations that an approval executes, with scenarios of which the last one is refused. */
const CARRIED_OUT = ['releaseOrder', 'refundOrder', 'resolveDispute', 'commitWithdrawal'] as const;
/** The same, of which the last two scenarios of users who owe money are executed. */
const CARRIED_OUT_OWING = ['releaseOrder', 'resolveException', 'writeOffDebt'] as const;

/**
 * A valid call to every endpoint of operators, and an approval of every operation that needs one.
 */
export function operatorScenarios(
  here: () => ScenarioContext,
  others: Readonly<Record<string, readonly Scenario[]>>,
  owing: Readonly<Record<string, readonly Scenario[]>>,
): Readonly<Record<string, readonly Scenario[]>> {
  /** With the headers, the body and the id of a valid request. */
  const right =
    (endpoint: Endpoint): Scenario =>
    async () => {
      const id = (endpoint.path.includes('{id}') && (await operatorIds(endpoint, here()))) || '';
      const body = await OPERATOR_BODIES[endpoint.id]?.({ ...here(), ids: { id } });
      const headers = await operatorHeaders(endpoint, here());
      const key = endpoint.scope === 'platform' ? here().world.masterKey : undefined;
      return { ids: { id }, body, ...(headers && { headers }), ...(key && { key }) };
    };
  const agreeing =
    (requested: Endpoint, scenario: Scenario): Scenario =>
    async () => {
      const { ids = {}, body } = await scenario();
      const [requester, second] = await pairOf(here());
      const path = requested.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
      const { json } = await requester.send(requested.method, path, { body });
      return { ids: { id: json.data.data.id }, body: {}, headers: { ...second.headers } };
    };
  const debited: Scenario = async () => {
    const { market } = here();
    const userId = await market.user();
    await market.send('POST', `/users/${userId}/balance/credit`, { body: { amount: '1.00' } });
    return { ids: { userId }, body: { amount: '1.00' } };
  };
  const stopped: Scenario = async () => {
    const { world, market } = here();
    const body = { level: 'PAYOUTS', reason: 'a doubt' };
    await world.send('POST', `/marketplaces/${market.id}/stop`, { key: world.masterKey, body });
    return { ids: { id: market.id }, body };
  };
  const all = Object.values<Endpoint>({ ...operatorEndpoints, ...approvalEndpoints });
  return {
    ...Object.fromEntries(all.map((endpoint) => [endpoint.id, [right(endpoint)]])),
    fetchKeySecret: [right(surfaceA.fetchKeySecret)],
    approve: [
      right(surfaceA.approve),
      agreeing(surfaceA.debitBalance, debited),
      agreeing(surfaceA.liftStop, stopped),
      ...CARRIED_OUT.flatMap((id) =>
        (others[id] ?? []).slice(0, -1).map((scenario) => agreeing(surfaceA[id], scenario)),
      ),
      ...CARRIED_OUT_OWING.flatMap((id) =>
        (owing[id] ?? []).slice(-2).map((scenario) => agreeing(surfaceA[id], scenario)),
      ),
    ],
  };
}
