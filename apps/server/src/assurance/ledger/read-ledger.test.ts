import { describe, expect, it } from 'vitest';
import { orderIn } from '../../testing/orders.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { useWorld } from '../../testing/use-world.ts';
import {
  getAccount,
  getChart,
  getEntry,
  listAccounts,
  listBookEntries,
  listEntriesOfAccount,
} from './read-ledger.ts';

const world = useWorld();

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

/** A user of a new marketplace, and postings to their balance. */
async function userWithBalance() {
  const market = await world.market();
  const userId = await market.user();
  const post = (what: string, amount: string) =>
    market.send('POST', `/users/${userId}/balance/${what}`, { body: { amount } });
  return { market, userId, post };
}

describe('the chart', () => {
  it('sums every kind of account, and all of them to zero', async () => {
    const market = await world.market();
    await orderIn(world, market, 'IN_PROGRESS', { funds: '130.00' });
    const { json } = await market.send('GET', '/ledger/chart');
    const { lines, sums } = json.data.data;
    const totals = Object.fromEntries(
      lines.map(({ kind, total }: { kind: string; total: string }) => [kind, total]),
    );
    expect(totals).toMatchObject({ user: '30.00', escrow: '100.00', adjustments: '-130.00' });
    expect(sums).toContainEqual({ currency: 'USD', total: '0.00' });
    const otherMarket = await world.market();
    expect((await getChart(world.app, otherMarket.call)).lines).toEqual([]);
  });
});

describe('accounts', () => {
  it('are listed by kind, owner and currency', async () => {
    const market = await world.market();
    const { id, buyerId } = await orderIn(world, market, 'IN_PROGRESS');
    const list = async (query: Parameters<typeof listAccounts>[2]) =>
      (await listAccounts(world.app, market.call, query)).items;
    expect(await list({ kind: 'escrow' })).toMatchObject([
      { id: `escrow.${id}.USD`, available: 10_000n },
    ]);
    expect(await list({ ownerId: buyerId, currency: 'USD' })).toHaveLength(1);
    expect(await list({ currency: 'XLM' })).toEqual([]);
  });

  it('have a balance now, and had one at a time', async () => {
    const { market, userId, post } = await userWithBalance();
    await post('credit', '100.00');
    await pause();
    const between = new Date(world.app.clock.now()).toISOString();
    await pause();
    await post('reserve', '30.00');
    await post('debit', '20.00');
    const at = async (path: string) =>
      (await market.send('GET', `/ledger/accounts/${path}`)).json.data.data;
    const name = `user.${userId}.USD`;
    const figures = { available: '50.00', reserved: '30.00', total: '80.00' };
    expect(await at(name)).toMatchObject({ id: name, ownerId: userId, ...figures });
    expect(await at(`${name}?at=${between}`)).toMatchObject({
      available: '100.00',
      reserved: '0.00',
      at: between,
    });
    // The other side is the marketplace's own: it may be negative, and has no running balance.
    expect(await at('adjustments.USD')).toMatchObject({ ownerId: null, total: '-80.00' });
    expect((await at(`adjustments.USD?at=${between}`)).total).toBe('-100.00');
    expect((await at(`${name}?at=2026-01-01`)).total).toBe('0.00');
  });

  it('are not found where a marketplace has none of the kind', async () => {
    const { call } = await world.market();
    await expect(getAccount(world.app, call, 'suspense.XLM', {})).rejects.toSatisfy(
      isRefusal('ACCOUNT_NOT_FOUND'),
    );
  });

  it.each(['user', 'house'])(
    'have entries: those of a %s account come newest first, each once',
    async (whose) => {
      const { market, userId, post } = await userWithBalance();
      for (const amount of ['1.00', '2.00', '3.00']) await post('credit', amount);
      await post('debit', '4.00');
      await post('reserve', '1.50');
      const name = whose === 'user' ? `user.${userId}.USD` : 'adjustments.USD';
      const list = (query: { limit?: string; cursor?: string }) =>
        listEntriesOfAccount(world.app, market.call, name, query);
      const amounts = (items: readonly { amount: bigint }[]) => items.map(({ amount }) => amount);
      const all = whose === 'user' ? [150n, 400n, 300n, 200n, 100n] : [400n, 300n, 200n, 100n];
      expect(amounts((await list({})).items)).toEqual(all);
      const first = await list({ limit: '2' });
      const rest = await list({ cursor: first.nextCursor ?? '' });
      expect([...amounts(first.items), ...amounts(rest.items)]).toEqual(all);
    },
  );
});

describe('the journal', () => {
  it('is listed newest first, and by order', async () => {
    const market = await world.market();
    const { id } = await orderIn(world, market, 'IN_PROGRESS');
    await orderIn(world, market, 'FUNDS_RESERVED');
    for (const [query, kinds] of [
      [{}, ['order_hold', 'credit', 'escrow_fund', 'order_hold', 'credit']],
      [{ subjectId: id }, ['escrow_fund', 'order_hold']],
      [{ createdBefore: '2026-01-02' }, []],
      [{ createdAfter: '2026-01-02', limit: '1' }, ['order_hold']],
    ] as const) {
      const { items } = await listBookEntries(world.app, market.call, query);
      expect(items.map(({ kind }) => kind)).toEqual(kinds);
    }
  });

  it('shows both sides of an entry, and its related entries', async () => {
    const market = await world.market();
    const { id: orderId, buyerId } = await orderIn(world, market, 'IN_PROGRESS');
    const { items } = await listBookEntries(world.app, market.call, { subjectId: orderId });
    const id = items[0]?.id ?? '';
    const { json } = await market.send('GET', `/ledger/entries/${id}`);
    expect(json.data.data).toMatchObject({
      entry: {
        id,
        kind: 'escrow_fund',
        amount: '100.00',
        from: { accountId: `user.${buyerId}.USD`, bucket: 'reserved', reserved: '0.00' },
        to: { accountId: `escrow.${orderId}.USD`, bucket: 'available', available: '100.00' },
        subjectId: orderId,
      },
      related: [{ kind: 'order_hold', from: { bucket: 'available' }, to: { bucket: 'reserved' } }],
    });
  });

  it('has no entry with a number beyond those of the database', async () => {
    const { call } = await world.market();
    await expect(getEntry(world.app, call, '9999999999999999999')).rejects.toSatisfy(
      isRefusal('ENTRY_NOT_FOUND'),
    );
  });
});
