import { expect, it } from 'vitest';
import { useWorld } from '../../testing/use-world.ts';
import { listEntriesOfAccount } from './list-entries-of-account.ts';

const world = useWorld();

it.each(['user', 'house'])(
  'lists the entries of a %s account, newest first, each once',
  async (whose) => {
    const market = await world.market();
    const userId = await market.user();
    const post = (what: string, amount: string) =>
      market.send('POST', `/users/${userId}/balance/${what}`, { body: { amount } });
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
