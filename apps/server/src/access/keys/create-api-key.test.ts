import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useWorld } from '../../testing/use-world.ts';

const world = useWorld();

const create = (body: unknown, headers = {}) =>
  world.send('POST', '/auth/api-keys', { key: world.masterKey, body, headers });

describe('creating a key', () => {
  it('returns the secret once, stores only its hash, and creates a marketplace', async () => {
    const created = (await create({ name: 'shop', scopes: ['read', 'write'] })).json.data.data;
    expect(created.key).toMatch(/^hf_c1_[0-9A-Za-z]{49}$/);
    expect(created.api_key).toBe(created.key);
    const dump = JSON.stringify(
      await world.rows('select k::text, to_jsonb(a) as audit from api_key k, audit a'),
    );
    expect(dump).not.toContain(created.key);
    expect((await world.send('GET', '/auth/me', { key: created.key })).json.data.data).toEqual({
      apiKeyId: created.id,
      apiKeyName: 'shop',
      scopes: ['read', 'write'],
      marketplaceId: created.marketplaceId,
      environment: 'development',
    });
  });

  it('writes audit entries for the key and its marketplace', async () => {
    const created = (await create({ name: 'audited', scopes: ['read'] })).json.data.data;
    const rows = await world.rows(
      'select action, actor_type from audit where resource_id = any ($1) order by action',
      [[created.id, created.marketplaceId]],
    );
    expect(rows).toEqual([
      { action: 'API_KEY_CREATED', actor_type: 'MASTER_KEY' },
      { action: 'MARKETPLACE_CREATED', actor_type: 'MASTER_KEY' },
    ]);
  });

  it('replays under an Idempotency-Key without the secret', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { name: 'replayed', scopes: ['read'] };
    const first = await create(body, headers);
    const again = await create(body, headers);
    expect([again.status, again.headers['idempotency-replay']]).toEqual([201, 'true']);
    expect(again.json.data.data.id).toBe(first.json.data.data.id);
    expect(again.text).not.toContain(first.json.data.data.key);
    expect(JSON.stringify(await world.rows('select response from idempotency'))).not.toContain(
      first.json.data.data.key,
    );
  });

  it('refuses an unknown marketplace, and an expiry in the past', async () => {
    const unknown = await create({
      name: 'x',
      scopes: ['read'],
      marketplaceId: 'mkt_00000000000000000000000000',
    });
    expect([unknown.status, unknown.json.error.code]).toEqual([404, 'MARKETPLACE_NOT_FOUND']);
    const past = await create({ name: 'x', scopes: ['read'], expiresAt: '2020-01-01' });
    expect([past.status, past.json.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});
