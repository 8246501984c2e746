import { expect, it } from 'vitest';
import { openPlainMemberWorld } from '../../testing/members.ts';
import { useOpened } from '../../testing/use-world.ts';

const world = useOpened(openPlainMemberWorld);

it('returns incoming and outgoing amounts, newest first, page by page', async () => {
  const person = await world.person('10.00');
  const path = `/users/${person.id}/balance`;
  const post = (end: string, body: object) => world.house.send('POST', `${path}${end}`, { body });
  await post('/reserve', { amount: '4.00' });
  await post('/deduct-reserved', { amount: '3.00' });
  await post('/release', { amount: '1.00' });
  await post('/debit', { amount: '0.50', description: 'a stamp' });
  const all = (await person.get('/balances/transactions')).json.data;
  expect(
    all.transactions.map(({ type, amount }: { type: string; amount: number }) => [type, amount]),
  ).toEqual([
    ['debit', 0.5],
    ['debit', 3],
    ['credit', 10],
  ]);
  expect(all.transactions[0].description).toBe('a stamp');
  expect(all.pagination).toEqual({ page: 1, limit: 20, total: 3, pages: 1 });
  const second = (await person.get('/balances/transactions?page=2&limit=2')).json.data;
  expect(second.transactions).toEqual(all.transactions.slice(2));
  expect(second.pagination).toEqual({ page: 2, limit: 2, total: 3, pages: 2 });
  const otherPerson = await world.person();
  expect((await otherPerson.get('/balances/transactions')).json.data.transactions).toEqual([]);
});
