import { SESSION_SECONDS } from '@holdfast/contract/limits';
import { instantText, manualClock } from '@holdfast/kernel/clock';
import { describe, expect, it } from 'vitest';
import { desk } from '../../testing/operators.ts';
import { useMarket, useOpenedEach } from '../../testing/use-world.ts';
import { HOOK_URL } from '../../testing/webhook-receiver.ts';
import { openWorld } from '../../testing/world.ts';

const clock = manualClock(Date.now());
const { world, market } = useMarket({ clock });
const admin = useOpenedEach(() => desk(world, { marketplaceId: market.id, role: 'admin' }));

const createEndpoint = (headers: Record<string, string | undefined> = {}) => {
  const sent = Object.entries({ ...admin.headers, ...headers }).filter(([, text]) => text);
  return world.send('POST', '/webhook-endpoints', {
    body: { url: HOOK_URL },
    headers: Object.fromEntries(sent) as Record<string, string>,
  });
};
const listUsers = (headers: Record<string, string> = {}) =>
  admin.send('GET', '/users', { headers });
const codeOf = ({ status, json }: { status: number; json: { error?: { code: string } } }) =>
  `${status} ${json.error?.code ?? ''}`.trim();

describe('presenting a stolen token', () => {
  it('is refused with another user agent, and then also with the right one', async () => {
    expect((await listUsers()).status).toBe(200);
    expect((await listUsers({ 'user-agent': 'curl' })).status).toBe(401);
    expect((await listUsers()).status).toBe(401);
  });

  it('is refused as a bearer, in part, or with a letter changed', async () => {
    expect((await world.send('GET', '/users', { key: admin.token })).status).toBe(401);
    const cookie = (token: string) => ({ cookie: `${world.app.operators.cookieName}=${token}` });
    const other = admin.token.startsWith('x') ? 'y' : 'x';
    const changed = `${other}${admin.token.slice(1)}`;
    for (const wrong of ['', admin.token.slice(1), `${admin.token}x`, changed])
      expect((await listUsers(cookie(wrong))).status).toBe(401);
    expect((await listUsers(cookie(admin.token))).status).toBe(200);
  });

  it('is refused after the session has ended', async () => {
    await admin.send('POST', '/operators/sign-out');
    expect((await listUsers()).status).toBe(401);
    expect(codeOf(await createEndpoint())).toBe('401 UNAUTHORIZED');
  });
});

describe('the session of an operator', () => {
  it('ends after half an hour without requests', async () => {
    for (let times = 0; times < 3; times += 1) {
      clock.advance((SESSION_SECONDS.idle - 61) * 1000);
      expect((await listUsers()).status).toBe(200);
    }
    clock.advance(SESSION_SECONDS.idle * 1000);
    expect((await listUsers()).status).toBe(401);
  });

  it('ends after twelve hours, even with requests', async () => {
    const ends = clock.now() + SESSION_SECONDS.maximum * 1000;
    while (clock.now() + SESSION_SECONDS.idle * 500 < ends) {
      clock.advance(SESSION_SECONDS.idle * 500);
      expect((await listUsers()).status).toBe(200);
    }
    clock.advance(SESSION_SECONDS.idle * 500);
    expect((await listUsers()).status).toBe(401);
  });
});

describe('changing something in a session', () => {
  it('requires token, origin and reason', async () => {
    expect((await createEndpoint()).status).toBe(201);
    const headers = { origin: undefined, 'sec-fetch-site': 'same-origin' };
    expect((await createEndpoint(headers)).status).toBe(201);
  });

  it.each<[string, Record<string, string | undefined>]>([
    ['no token', { 'x-holdfast-csrf': undefined }],
    ['a wrong token', { 'x-holdfast-csrf': 'x'.repeat(43) }],
    ['an empty token', { 'x-holdfast-csrf': ' ' }],
    ['the origin of another site', { origin: 'https://evil.example.test' }],
    ['another port', { origin: 'http://localhost:81' }],
    ['an opaque origin', { origin: 'null' }],
    ['no origin at all', { origin: undefined }],
    ['a browser that says cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['a browser that says same-site', { 'sec-fetch-site': 'same-site' }],
    ['a browser that says nothing of a site', { 'sec-fetch-site': 'none' }],
  ])('is refused with %s', async (_, headers) => {
    const before = await world.rows('select count(*) from webhook_endpoint');
    expect(codeOf(await createEndpoint(headers))).toBe('403 CSRF_REQUIRED');
    expect(await world.rows('select count(*) from webhook_endpoint')).toEqual(before);
  });

  it("is refused with the token of another operator's session", async () => {
    const other = await desk(world, { marketplaceId: market.id, role: 'admin' });
    expect(codeOf(await createEndpoint({ 'x-holdfast-csrf': other.csrfToken }))).toBe(
      '403 CSRF_REQUIRED',
    );
  });

  it('is refused without a reason, and its audit entry has the reason', async () => {
    for (const reason of [undefined, '%20%20'])
      expect(codeOf(await createEndpoint({ 'x-holdfast-reason': reason }))).toBe(
        '400 REASON_REQUIRED',
      );
    const imitation = encodeURIComponent('checked (apr_1, approved by Bob, opr_1)');
    expect(codeOf(await createEndpoint({ 'x-holdfast-reason': imitation }))).toBe(
      '400 VALIDATION_ERROR',
    );
    const long = 'x'.repeat(1001);
    expect(codeOf(await createEndpoint({ 'x-holdfast-reason': long }))).toBe(
      '400 VALIDATION_ERROR',
    );
    const reason = 'für Ada — 中';
    const { json } = await createEndpoint({ 'x-holdfast-reason': encodeURIComponent(reason) });
    expect(
      await world.rows('select actor_type, actor_id, reason from audit where resource_id = $1', [
        json.data.data.id,
      ]),
    ).toEqual([{ actor_type: 'OPERATOR', actor_id: admin.id, reason }]);
  });

  it('takes the reason from a body that has one', async () => {
    const { 'x-holdfast-reason': _, ...headers } = admin.headers;
    const path = `/reconciliation/exceptions/exc_${'0'.repeat(26)}/resolve`;
    const send = (body: object) => world.send('POST', path, { body, headers: { ...headers } });
    expect(codeOf(await send({ action: 'ACCEPT', reason: 'seen' }))).toBe(
      '404 EXCEPTION_NOT_FOUND',
    );
    const dispute = `/orders/ord_${'0'.repeat(26)}/resolution/dispute`;
    const opened = { orderId: 'any', openedBy: 'BUYER', reason: 'OTHER' };
    const response = await world.send('POST', dispute, { body: opened, headers: { ...headers } });
    expect(codeOf(response), 'a word from a list is no reason').toBe('400 REASON_REQUIRED');
  });
});

describe('reading in a session', () => {
  it('needs neither token nor reason, and is refused to other sites', async () => {
    const { cookie, 'user-agent': agent } = admin.headers;
    const headers = { cookie, 'user-agent': agent, 'x-holdfast-marketplace': market.id };
    const send = (more = {}) =>
      world.send('GET', '/users', { headers: { ...headers, ...more } as Record<string, string> });
    expect((await send()).status).toBe(200);
    expect((await send({ 'sec-fetch-site': 'none' })).status).toBe(200);
    expect(codeOf(await send({ 'sec-fetch-site': 'cross-site' }))).toBe('403 CSRF_REQUIRED');
    expect(codeOf(await send({ origin: 'https://evil.example.test' }))).toBe('403 CSRF_REQUIRED');
  });
});

describe('the marketplace of a session request', () => {
  it('must be named', async () => {
    const { 'x-holdfast-marketplace': _, ...headers } = admin.headers;
    const { status, json } = await world.send('GET', '/users', { headers: { ...headers } });
    expect([status, json.error.code]).toEqual([400, 'MARKETPLACE_REQUIRED']);
  });

  it('returns the same for a marketplace of others as for one that does not exist', async () => {
    const foreign = (await world.market()).id;
    const unknown = `mkt_${'0'.repeat(26)}`;
    const responses = [
      await listUsers({ 'x-holdfast-marketplace': foreign }),
      await listUsers({ 'x-holdfast-marketplace': unknown }),
      await listUsers({ 'x-holdfast-marketplace': "'; drop table users; --" }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(responses[0]?.text.replace(foreign, unknown)).toBe(responses[1]?.text);
  });

  it('is the only one whose rows are seen', async () => {
    const other = await world.market();
    const theirs = await other.user();
    expect((await admin.send('GET', `/users/${theirs}`)).json.error.code).toBe('USER_NOT_FOUND');
    const expiresAt = instantText(Date.now() + 86_400_000);
    const body = { name: 'k', scopes: ['read'], marketplaceId: other.id, expiresAt };
    const created = await admin.send('POST', '/auth/api-keys', { body });
    expect(created.json.error.code).toBe('MARKETPLACE_NOT_FOUND');
    const rotated = await admin.send('POST', `/auth/api-keys/${other.keyId}/rotate`, { body: {} });
    expect(rotated.json.error.code).toBe('API_KEY_NOT_FOUND');
  });

  it('is refused to a platform admin who is not a member', async () => {
    const platform = await desk(world, { isPlatformAdmin: true });
    const headers = { 'x-holdfast-marketplace': market.id };
    const within = await platform.send('GET', '/users', { headers });
    expect(within.json.error.code).toBe('MARKETPLACE_NOT_FOUND');
    expect((await platform.send('GET', '/marketplaces', { headers })).status).toBe(200);
  });
});

it('takes a bearer token in preference to cookies', async () => {
  const { status } = await world.send('POST', '/users', {
    key: market.key,
    body: { externalUserId: 'with a cookie' },
    headers: { cookie: admin.headers['cookie'] ?? '' },
  });
  expect(status).toBe(201);
});

it('limits each operator separately', async () => {
  const limited = await openWorld({ env: { HOLDFAST_OPERATOR_RATE_LIMIT: '2' } });
  const { id: marketplaceId } = await limited.market();
  const who = await desk(limited, { marketplaceId, role: 'viewer' });
  const statuses = [];
  for (let times = 0; times < 3; times += 1)
    statuses.push((await who.send('GET', '/users')).status);
  expect(statuses).toEqual([200, 200, 429]);
  await limited.close();
});
