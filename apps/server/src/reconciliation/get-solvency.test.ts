//! Who sees what of solvency: the master key the whole, a key its own marketplace's part.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { creditBalance } from '../books/credit-balance.ts';
import { type Market, openWorld, type World } from '../testing/world.ts';
import { getSolvency } from './get-solvency.ts';

let world: World;
let market: Market;
beforeAll(async () => {
  world = await openWorld();
  market = await world.market();
});
afterAll(() => world.close());

describe('before the first reading', () => {
  it('tells a key its own part and nobody else’s', async () => {
    const other = await world.market();
    await creditBalance(world.app, other.call, await other.user(), { amount: '7.00' });
    await creditBalance(world.app, market.call, await market.user(), { amount: '3.00' });
    const { reading, parts } = await getSolvency(world.app, market.call);
    expect(reading).toBeUndefined();
    expect(parts?.[0]).toMatchObject({
      asset: 'USDC',
      users: 3_0000000n,
      owed: 3_0000000n,
      adjustmentsOwed: 3_0000000n,
      paidIn: 0n,
      deposited: 0n,
    });
  });

  it('goes out with no sums of the deployment, and to the master key with no part', async () => {
    const own = await market.send('GET', '/solvency');
    expect(own.json.data.data).toMatchObject({ status: 'UNSETTLED', deployment: null });
    expect(own.json.data.data.marketplace).toHaveLength(2);
    const whole = await world.send('GET', '/solvency', { key: world.masterKey });
    expect(whole.json.data.data).toMatchObject({ takenAt: null, marketplace: null });
  });
});
