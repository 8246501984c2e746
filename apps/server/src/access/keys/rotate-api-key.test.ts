import { randomUUID } from 'node:crypto';
import { manualClock } from '@holdfast/kernel/clock';
import { expect, it } from 'vitest';
import { useWorld } from '../../testing/use-world.ts';

const clock = manualClock(Date.now());
const world = useWorld({ clock });

const rotate = (id: string, body: unknown = {}) =>
  world.send('POST', `/auth/api-keys/${id}/rotate`, { key: world.masterKey, body });
const me = (key: string) => world.send('GET', '/auth/me', { key });

it('creates a successor; both work until the overlap ends', async () => {
  const market = await world.market();
  const created = (await rotate(market.keyId, { overlapSeconds: 60 })).json.data.data;
  expect(created).toMatchObject({ rotatedFrom: market.keyId, marketplaceId: market.id });
  expect([(await me(market.key)).status, (await me(created.key)).status]).toEqual([200, 200]);
  clock.advance(61_000);
  expect([(await me(market.key)).status, (await me(created.key)).status]).toEqual([401, 200]);
});

// A retry in the middle of a rotation must not credit twice.
it('keeps Idempotency-Keys in the family', async () => {
  const market = await world.market();
  const user = await market.user();
  const successor = (await rotate(market.keyId)).json.data.data.key;
  const sending = { body: { amount: '5.00' }, headers: { 'idempotency-key': randomUUID() } };
  const first = await market.send('POST', `/users/${user}/balance/credit`, sending);
  const again = await world.send('POST', `/users/${user}/balance/credit`, {
    ...sending,
    key: successor,
  });
  expect([again.text, again.headers['idempotency-replay']]).toEqual([first.text, 'true']);
});

it('refuses a revoked key', async () => {
  const market = await world.market();
  await world.send('POST', `/auth/api-keys/${market.keyId}/revoke`, { key: world.masterKey });
  const response = await rotate(market.keyId);
  expect([response.status, response.json.error.code]).toEqual([409, 'INVALID_STATE']);
});

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(clock.now() + days * DAY_MS).toISOString();

it('refuses a key that has expired', async () => {
  const market = await world.market({ expiresAt: inDays(1) });
  clock.advance(DAY_MS);
  const response = await rotate(market.keyId);
  expect([response.status, response.json.error]).toMatchObject([
    409,
    { code: 'INVALID_STATE', details: { resource: 'apiKey', state: 'expired' } },
  ]);
});

it('lets a successor live as long as its predecessor was meant to', async () => {
  const expiryOf = async (id: string, body?: unknown) =>
    (await rotate(id, body)).json.data.data.expiresAt;
  const market = await world.market({ expiresAt: inDays(30) });
  clock.advance(10 * DAY_MS);
  expect(await expiryOf(market.keyId)).toBe(inDays(30));
  // The first rotation has ended the key early, and says nothing about the next successor.
  expect(await expiryOf(market.keyId)).toBe(inDays(30));
  expect(await expiryOf(market.keyId, { expiresAt: inDays(7) })).toBe(inDays(7));
  const { keyId } = await world.market();
  expect([await expiryOf(keyId), await expiryOf(keyId)]).toEqual([null, null]);
});
