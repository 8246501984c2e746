import { newId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import { desk } from '../../testing/operators.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { useOpened } from '../../testing/use-world.ts';
import { inputOf, openPayoutWorld, payeeWith } from '../../testing/withdrawals.ts';
import { createWithdrawal } from './create-withdrawal.ts';
import { getWithdrawal } from './get-withdrawal.ts';

const world = useOpened(openPayoutWorld);
const market = useOpened(() => world.market());

const create = async () =>
  createWithdrawal(world.app, market.call, inputOf(await payeeWith(world, market)));

it('returns the requested withdrawal, and no other', async () => {
  const [one, another] = [await create(), await create()];
  expect(await getWithdrawal(world.app, market.call, one.id)).toEqual(one);
  expect(await getWithdrawal(world.app, market.call, another.id)).toEqual(another);
});

it('is not found by another marketplace, just like an unknown id', async () => {
  const otherMarket = await world.market();
  const { id } = await create();
  for (const [{ call }, withdrawalId] of [
    [otherMarket, id],
    [market, newId('wd')],
  ] as const) {
    const refused = getWithdrawal(world.app, call, withdrawalId);
    await expect(refused).rejects.toSatisfy(isRefusal('WITHDRAWAL_NOT_FOUND'));
  }
});

it('returns 404 over the wire to another marketplace and for an unknown id', async () => {
  const otherMarket = await world.market();
  const { id } = await create();
  const responses = [
    await market.send('GET', `/withdrawals/${id}`),
    await otherMarket.send('GET', `/withdrawals/${id}`),
    await market.send('GET', `/withdrawals/${newId('wd')}`),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 404, 404]);
  expect(responses[0]?.json.data.data).toMatchObject({ id, amount: '20.00', currency: 'USD' });
});

it('hides the recipient’s address from operators in every response', async () => {
  const payee = await payeeWith(world, market);
  const { id } = await createWithdrawal(world.app, market.call, inputOf(payee));
  const finance = await desk(world, { role: 'finance', marketplaceId: market.id });
  const responses = [
    await finance.send('GET', `/withdrawals/${id}`),
    await finance.send('GET', '/withdrawals?limit=100'),
    await finance.send('POST', `/withdrawals/${id}/refresh`),
  ];
  for (const { status, text } of responses) {
    expect(status, text).toBe(200);
    expect(text).toContain('•••@');
    expect(text).not.toContain(payee.email);
  }
  const { json } = await market.send('GET', `/withdrawals/${id}`);
  expect(json.data.data.destination.ref).toBe(payee.email);
});
