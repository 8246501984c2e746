import { expect, it } from 'vitest';
import { isRefusal } from '../../testing/refusal.ts';
import { useWorld } from '../../testing/use-world.ts';
import { creditBalance } from './credit-balance.ts';
import { debitBalance } from './debit-balance.ts';
import { getBalance } from './get-balance.ts';
import { reserveBalance } from './reserve-balance.ts';

const world = useWorld();

async function withMoney(amount: string) {
  const market = await world.market();
  const user = await market.user();
  await creditBalance(world.app, market.call, user, { amount });
  return { market, user };
}

it('lowers available, to the last cent and no further', async () => {
  const { market, user } = await withMoney('10.00');
  expect(await debitBalance(world.app, market.call, user, { amount: '3.33' })).toMatchObject({
    available: 667n,
  });
  await expect(
    debitBalance(world.app, market.call, user, { amount: '6.68' }),
  ).rejects.toMatchObject({
    code: 'INSUFFICIENT_FUNDS',
    details: { requested: '6.68', available: '6.67', currency: 'USD' },
  });
  expect(await debitBalance(world.app, market.call, user, { amount: '6.67' })).toMatchObject({
    available: 0n,
  });
});

it('cannot take reserved money', async () => {
  const { market, user } = await withMoney('10.00');
  await reserveBalance(world.app, market.call, user, { amount: '8.00' });
  await expect(debitBalance(world.app, market.call, user, { amount: '2.01' })).rejects.toSatisfy(
    isRefusal('INSUFFICIENT_FUNDS'),
  );
});

it('never touches another currency', async () => {
  const { market, user } = await withMoney('10.00');
  await expect(
    debitBalance(world.app, market.call, user, { amount: '1.00', currency: 'USDC' }),
  ).rejects.toSatisfy(isRefusal('INSUFFICIENT_FUNDS'));
  expect(await getBalance(world.app, market.call, user)).toMatchObject({ available: 1000n });
});

// Two hundred at once on one account: each is decided on its own, none goes below zero, none is
// lost.
it('spends exactly the available amount in parallel', async () => {
  const { market, user } = await withMoney('100.00');
  const outcomes = await Promise.allSettled(
    Array.from({ length: 200 }, () =>
      debitBalance(world.app, market.call, user, { amount: '0.70' }),
    ),
  );
  const done = outcomes.filter(({ status }) => status === 'fulfilled');
  expect(done).toHaveLength(142);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected')
      expect(outcome.reason).toSatisfy(isRefusal('INSUFFICIENT_FUNDS'));
  }
  expect(await getBalance(world.app, market.call, user)).toMatchObject({ available: 60n });
});

it('leaves no entry, event or audit entry when refused', async () => {
  const { market, user } = await withMoney('1.00');
  const count = async () =>
    world.rows(`select (select count(*) from entry) as entries,
    (select count(*) from outbox) as events, (select count(*) from audit) as audits`);
  const before = await count();
  await expect(debitBalance(world.app, market.call, user, { amount: '2.00' })).rejects.toSatisfy(
    isRefusal('INSUFFICIENT_FUNDS'),
  );
  expect(await count()).toEqual(before);
});
