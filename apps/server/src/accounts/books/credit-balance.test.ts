import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../testing/refusal.ts';
import { useWorld } from '../../testing/use-world.ts';
import { creditBalance } from './credit-balance.ts';
import { getBalance } from './get-balance.ts';

const world = useWorld();

describe('a credit', () => {
  it('increases available, with one entry, event and audit entry, in one transaction', async () => {
    const { app } = world;
    const market = await world.market();
    const user = await market.user();
    const posted = await creditBalance(app, market.call, user, {
      amount: '12.34',
      description: 'a "gift", \\ {really}',
    });
    expect(posted).toMatchObject({ userId: user, currency: 'USD', available: 1234n, reserved: 0n });
    const written = await world.rows(
      `select e.xmin = o.xmin and e.xmin = a.xmin as together, e.kind, e.amount, e.note, o.event_type, a.action
       from entry e join outbox o on o.entry_id = e.id join audit a on a.entry_id = e.id
       where e.to_account in (select id from account where owner_id = $1)`,
      [user],
    );
    expect(written).toEqual([
      {
        together: true,
        kind: 'credit',
        amount: '1234',
        note: 'a "gift", \\ {really}',
        event_type: 'balance.credited',
        action: 'BALANCE_CREDITED',
      },
    ]);
    expect(await getBalance(app, market.call, user)).toMatchObject({ available: 1234n });
  });

  it.each(['0', '-1.00', '1.001', '1e3', '', '1.00\u0000'])(
    'refuses %j as INVALID_AMOUNT',
    async (amount) => {
      const market = await world.market();
      await expect(
        creditBalance(world.app, market.call, await market.user(), { amount }),
      ).rejects.toSatisfy(isRefusal('INVALID_AMOUNT'));
    },
  );

  it('stops at the maximum of an account', async () => {
    const market = await world.market();
    const user = await market.user();
    for (let times = 0; times < 100; times += 1) {
      await creditBalance(world.app, market.call, user, { amount: '9999999999999.99' });
    }
    await expect(
      creditBalance(world.app, market.call, user, { amount: '9999999999999.99' }),
    ).rejects.toSatisfy(isRefusal('INVALID_AMOUNT'));
  });
});

describe('a reference', () => {
  it('makes a repeat safe: the same response, and no money moves', async () => {
    const market = await world.market();
    const user = await market.user();
    const input = { amount: '10.00', reference: 'pay "1"' };
    const first = await creditBalance(world.app, market.call, user, input);
    await creditBalance(world.app, market.call, user, { amount: '5.00' });
    const again = await creditBalance(world.app, market.call, user, input);
    expect(again).toMatchObject({ available: first.available, at: first.at });
    expect(await getBalance(world.app, market.call, user)).toMatchObject({ available: 1500n });
  });

  it('is REFERENCE_REUSED with other content', async () => {
    const market = await world.market();
    const user = await market.user();
    await creditBalance(world.app, market.call, user, { amount: '10.00', reference: 'r' });
    await expect(
      creditBalance(world.app, market.call, user, { amount: '11.00', reference: 'r' }),
    ).rejects.toSatisfy(isRefusal('REFERENCE_REUSED'));
  });

  it('moves money once when it comes twenty times at once', async () => {
    const market = await world.market();
    const user = await market.user();
    const input = { amount: '10.00', reference: randomUUID() };
    await Promise.all(
      Array.from({ length: 20 }, () => creditBalance(world.app, market.call, user, input)),
    );
    expect(await getBalance(world.app, market.call, user)).toMatchObject({ available: 1000n });
  });

  it('is free for another user', async () => {
    const market = await world.market();
    for (const user of [await market.user(), await market.user()]) {
      await creditBalance(world.app, market.call, user, { amount: '1.00', reference: 'same' });
      expect(await getBalance(world.app, market.call, user)).toMatchObject({ available: 100n });
    }
  });
});
