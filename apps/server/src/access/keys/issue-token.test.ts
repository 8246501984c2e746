import { manualClock } from '@holdfast/kernel/clock';
import { describe, expect, it } from 'vitest';
import { useWorld } from '../../testing/use-world.ts';

const clock = manualClock(Date.now());
const world = useWorld({ clock });

const issue = (key: string, id: string, body: unknown = {}) =>
  world.send('POST', `/auth/api-keys/${id}/token`, { key, body });
const me = (key: string) => world.send('GET', '/auth/me', { key });

describe('issuing a token', () => {
  it('works like its key, with no more scopes, and ends in time', async () => {
    const market = await world.market({ scopes: ['read', 'write'] });
    const created = (await issue(market.key, market.keyId, { ttlSeconds: 60, scopes: ['read'] }))
      .json.data.data;
    expect((await me(created.token)).json.data.data).toMatchObject({
      apiKeyId: market.keyId,
      scopes: ['read'],
    });
    const written = await world.send('POST', '/users', {
      key: created.token,
      body: { externalUserId: 'x' },
    });
    expect(written.json.error.code).toBe('INSUFFICIENT_SCOPE');
    clock.advance(61_000);
    expect((await me(created.token)).status).toBe(401);
  });

  it('refuses scopes that its key lacks', async () => {
    const market = await world.market({ scopes: ['read'] });
    const response = await issue(market.key, market.keyId, { scopes: ['write'] });
    expect([response.status, response.json.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });

  // Otherwise a stolen one-minute read token would become a permanent full key.
  it('refuses a token that is stronger or longer than the calling one', async () => {
    const market = await world.market();
    const weak = (await issue(market.key, market.keyId, { ttlSeconds: 60, scopes: ['read'] })).json
      .data.data;
    expect((await issue(weak.token, market.keyId, { scopes: ['write'] })).status).toBe(403);
    const next = (await issue(weak.token, market.keyId, { ttlSeconds: 3600 })).json.data.data;
    expect(next).toMatchObject({ scopes: ['read'], expiresAt: weak.expiresAt });
  });

  it('is allowed for the calling key itself, or by the master key', async () => {
    const market = await world.market();
    const brother = await world.market({ marketplaceId: market.id });
    const otherMarket = await world.market();
    expect((await issue(market.key, brother.keyId)).status).toBe(403);
    expect((await issue(market.key, otherMarket.keyId)).json.error.code).toBe('API_KEY_NOT_FOUND');
    expect((await issue(world.masterKey, market.keyId)).status).toBe(201);
  });

  it.each(['eyJhbGciOiJub25lIn0', 'eyJhbGciOiJIUzI1NiJ9'])(
    'refuses a token with the forged header %s',
    async (header) => {
      const market = await world.market();
      const { token } = (await issue(market.key, market.keyId)).json.data.data;
      const [, payload, signature] = token.split('.');
      expect((await me(`${header}.${payload}.${signature}`)).status).toBe(401);
      expect((await me(`${header}.${payload}.`)).status).toBe(401);
    },
  );
});
