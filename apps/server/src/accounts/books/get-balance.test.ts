import { expect, it } from 'vitest';
import { isRefusal } from '../../testing/refusal.ts';
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

it("does not find another marketplace's user", async () => {
  const [mine, theirs] = [await world.market(), await world.market()];
  await expect(getBalance(world.app, mine.call, await theirs.user())).rejects.toSatisfy(
    isRefusal('USER_NOT_FOUND'),
  );
});
