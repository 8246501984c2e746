import { expect, it } from 'vitest';
import { openPlainMemberWorld } from '../../testing/members.ts';
import { useOpened } from '../../testing/use-world.ts';

const world = useOpened(openPlainMemberWorld);

it('returns available and held in every currency, as numbers', async () => {
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
