import { expect, it } from 'vitest';
import { useWorld } from '../../testing/use-world.ts';

const world = useWorld({ env: { HOLDFAST_ADJUSTMENT_LIMIT: '0' } });

const limit = (id: string, body: unknown) =>
  world.send('PUT', `/marketplaces/${id}/adjustment-limit`, { key: world.masterKey, body });

// As in production: a leaked key cannot mint money until an operator has set a limit.
it('allows no credits until a limit is set, then credits up to it', async () => {
  const market = await world.market();
  const user = await market.user();
  const credit = (amount: string, currency = 'USD') =>
    market.send('POST', `/users/${user}/balance/credit`, { body: { amount, currency } });
  expect((await credit('0.01')).json.error).toMatchObject({
    code: 'ADJUSTMENT_LIMIT',
    details: { limit: '0.00', used: '0.00', requested: '0.01', currency: 'USD' },
  });
  await limit(market.id, { currency: 'USD', limit: '5.00' });
  expect((await credit('5.00')).status).toBe(200);
  expect((await credit('0.01')).json.error).toMatchObject({
    code: 'ADJUSTMENT_LIMIT',
    details: { limit: '5.00', used: '5.00' },
  });
  expect((await credit('0.01', 'USDC')).status).toBe(422);
  await limit(market.id, { currency: 'USD', limit: null });
  expect((await credit('1000.00')).status).toBe(200);
});

it.each(['-1', 'lots', '1.005'])('refuses the limit %j', async (text) => {
  const market = await world.market();
  expect((await limit(market.id, { currency: 'USD', limit: text })).json.error.code).toBe(
    'VALIDATION_ERROR',
  );
});
