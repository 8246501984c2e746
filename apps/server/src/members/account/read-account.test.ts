import { expect, it } from 'vitest';
import { openPlainMemberWorld } from '../../testing/members.ts';
import { useOpened } from '../../testing/use-world.ts';

const world = useOpened(openPlainMemberWorld);

it('lists available and held amounts in every currency, as numbers', async () => {
  const person = await world.person('12.34');
  const path = `/users/${person.id}/balance`;
  await world.house.send('POST', `${path}/reserve`, { body: { amount: '2.30' } });
  await world.house.send('POST', `${path}/credit`, { body: { amount: '0.07', currency: 'XLM' } });
  const { balances } = (await person.get('/balances')).json.data;
  expect(balances).toEqual(
    expect.arrayContaining([
      { currency: 'USD', available: 10.04, held: 2.3 },
      { currency: 'USDC', available: 0, held: 0 },
      { currency: 'XLM', available: 0.07, held: 0 },
    ]),
  );
  expect(balances).toHaveLength(3);
});

it('lists incoming and outgoing amounts, newest first, page by page', async () => {
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

const KEYS = [
  'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5',
  'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7',
];

it("lists the member's own wallets, newest first", async () => {
  const [person, other] = [await world.person(), await world.person()];
  for (const public_key of KEYS)
    expect((await person.post('/wallets/connect', { public_key })).status).toBe(200);
  const { wallets } = (await person.get('/wallets')).json.data;
  expect(wallets.map(({ public_key: key }: { public_key: string }) => key)).toEqual(
    KEYS.toReversed(),
  );
  expect((await other.get('/wallets')).json.data.wallets).toEqual([]);
});
