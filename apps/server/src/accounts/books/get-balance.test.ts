import { expect, it } from 'vitest';
import { useWorld } from '../../testing/use-world.ts';
import { getBalance } from './get-balance.ts';

const world = useWorld();

it('is zero in every currency for a new user', async () => {
  const market = await world.market();
  const user = await market.user();
  for (const currency of ['USD', 'USDC', 'XLM'] as const) {
    expect(await getBalance(world.app, market.call, user, currency)).toMatchObject({
      currency,
      available: 0n,
      reserved: 0n,
    });
  }
});
