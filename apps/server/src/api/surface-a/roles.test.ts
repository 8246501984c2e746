//! Tests every role against every endpoint: the server refuses all that the contract does not
//! allow.
import { type Endpoint, errorsOf } from '@holdfast/contract/endpoint';
import { OPERATOR_ROLES } from '@holdfast/contract/enums';
import { type OperatorRole, rolesOf } from '@holdfast/contract/roles';
import { surfaceA } from '@holdfast/contract/surface-a';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Desk, desk, deskOf, person } from '../../testing/operators.ts';
import { unknownIds } from '../../testing/right-requests.ts';
import { listen, openSse } from '../../testing/sse.ts';
import { useMarket } from '../../testing/use-world.ts';

/** One operator for each role, a platform admin, and an operator without any role. */
const STANDINGS = [...OPERATOR_ROLES, 'platform admin', 'no role'] as const;
type Standing = (typeof STANDINGS)[number];

const { world, market } = useMarket();
const desks = new Map<Standing, Desk>();
beforeAll(async () => {
  for (const role of OPERATOR_ROLES)
    desks.set(role, await desk(world, { marketplaceId: market.id, role }));
  const platform = await person(world, { isPlatformAdmin: true });
  desks.set('platform admin', await deskOf(world, platform, market.id));
  desks.set('no role', await deskOf(world, await person(world), market.id));
});

/** The named resources do not exist: an allowed caller gets an error about that. */
async function send(endpoint: Endpoint, { headers }: Desk) {
  const ids = unknownIds(endpoint);
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'm1');
  if (endpoint.rawResponse === 'event-stream') {
    const { host: _, origin: __, ...rest } = headers;
    const reader = await openSse(await listen(world), { headers: rest });
    reader.close();
    const json = reader.status === 200 ? undefined : JSON.parse(reader.text);
    return { status: reader.status, code: json?.error.code as string | undefined };
  }
  const body = endpoint.body === undefined ? {} : { body: {} };
  const { status, json } = await world.send(endpoint.method, path, { ...body, headers });
  return { status, code: json?.error?.code as string | undefined };
}

const endpoints = Object.values<Endpoint>(surfaceA).filter(
  ({ scope }) => scope !== 'public' && scope !== 'signature',
);
const hasNoMarketplace = (endpoint: Endpoint) =>
  endpoint.scope === 'platform' || (endpoint.platform === true && rolesOf(endpoint).length === 0);

/** The refusal for an operator outside the marketplace. */
function outsiderRefusal(endpoint: Endpoint) {
  return rolesOf(endpoint).length === 0 ? 'OPERATOR_ROLE_REQUIRED' : 'MARKETPLACE_NOT_FOUND';
}

/** Undefined where the call is allowed. */
function expected(endpoint: Endpoint, standing: Standing): string | undefined {
  if (endpoint.scope === 'session') return undefined;
  if (hasNoMarketplace(endpoint))
    return standing === 'platform admin' ? undefined : 'OPERATOR_ROLE_REQUIRED';
  if (standing === 'platform admin' || standing === 'no role') return outsiderRefusal(endpoint);
  const isOpen = rolesOf(endpoint).includes(standing as OperatorRole);
  return isOpen ? undefined : 'OPERATOR_ROLE_REQUIRED';
}

it('gives a platform admin who names no marketplace the view above all of them', async () => {
  const above = endpoints.filter((one) => one.platform === true && rolesOf(one).length > 0);
  expect(above.length).toBeGreaterThan(0);
  const { 'x-holdfast-marketplace': _, ...headers } = desks.get('platform admin')?.headers ?? {};
  const { 'x-holdfast-marketplace': __, ...others } = desks.get('admin')?.headers ?? {};
  for (const endpoint of above) {
    const admin = await send(endpoint, { ...(desks.get('platform admin') as Desk), headers });
    expect([401, 403], endpoint.id).not.toContain(admin.status);
    const other = await send(endpoint, { ...(desks.get('admin') as Desk), headers: others });
    expect(other.code).toBe('OPERATOR_ROLE_REQUIRED');
  }
});

// Signing out would end the session of the other tests.
describe.each(
  endpoints
    .filter(({ id }) => id !== 'signOut')
    .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
)('%s', (_, endpoint) => {
  it.each(STANDINGS)('is open or closed to %s as the contract says', async (standing) => {
    const { status, code } = await send(endpoint, desks.get(standing) as Desk);
    const wanted = expected(endpoint, standing);
    if (wanted === undefined) {
      expect([401, 403], code).not.toContain(status);
      expect(['MARKETPLACE_NOT_FOUND', 'MARKETPLACE_REQUIRED']).not.toContain(
        endpoint.errors.includes('MARKETPLACE_NOT_FOUND') ? '' : code,
      );
      return;
    }
    expect(code).toBe(wanted);
    expect(status).toBe(wanted === 'OPERATOR_ROLE_REQUIRED' ? 403 : 404);
    expect(errorsOf(endpoint), 'the contract declares it').toContain(wanted);
  });
});
