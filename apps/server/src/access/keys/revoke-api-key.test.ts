import { manualClock } from '@holdfast/kernel/clock';
import { expect, it } from 'vitest';
import { useWorld } from '../../testing/use-world.ts';

const clock = manualClock(Date.now());
const world = useWorld({ clock });

it('ends the key and its tokens within two seconds, also where they are cached', async () => {
  const market = await world.market();
  const { token } = (await market.send('POST', `/auth/api-keys/${market.keyId}/token`, {})).json
    .data.data;
  const statuses = async () => [
    (await world.send('GET', '/auth/me', { key: market.key })).status,
    (await world.send('GET', '/auth/me', { key: token })).status,
  ];
  expect(await statuses()).toEqual([200, 200]);
  const revoked = await world.send('POST', `/auth/api-keys/${market.keyId}/revoke`, {
    key: world.masterKey,
  });
  expect(revoked.json.data.data.revokedAt).not.toBeNull();
  clock.advance(2_000);
  expect(await statuses()).toEqual([401, 401]);
});

it('returns the same when repeated', async () => {
  const market = await world.market();
  const revoke = () =>
    world.send('POST', `/auth/api-keys/${market.keyId}/revoke`, { key: world.masterKey });
  const first = (await revoke()).json.data.data;
  clock.advance(5_000);
  expect((await revoke()).json.data.data.revokedAt).toBe(first.revokedAt);
});
