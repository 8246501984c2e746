import { newId } from '@holdfast/kernel/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EscrowWorld } from '../testing/escrows.ts';
import { desk } from '../testing/operators.ts';
import { isRefusal } from '../testing/refusal.ts';
import { openPayoutWorld, payeeWith, wishOf } from '../testing/withdrawals.ts';
import type { Market } from '../testing/world.ts';
import { createWithdrawal } from './create-withdrawal.ts';
import { getWithdrawal } from './get-withdrawal.ts';

let world: EscrowWorld;
let market: Market;
beforeAll(async () => {
  world = await openPayoutWorld();
  market = await world.market();
});
afterAll(() => world.close());

const make = async () =>
  createWithdrawal(world.app, market.call, wishOf(await payeeWith(world, market)));

it('is as it was asked for, and no other', async () => {
  const [one, another] = [await make(), await make()];
  expect(await getWithdrawal(world.app, market.call, one.id)).toEqual(one);
  expect(await getWithdrawal(world.app, market.call, another.id)).toEqual(another);
});

it('is unknown to another marketplace, as one that nobody made is', async () => {
  const stranger = await world.market();
  const { id } = await make();
  for (const [{ call }, withdrawalId] of [
    [stranger, id],
    [market, newId('wd')],
  ] as const) {
    const refused = getWithdrawal(world.app, call, withdrawalId);
    await expect(refused).rejects.toSatisfy(isRefusal('WITHDRAWAL_NOT_FOUND'));
  }
});

it('answers 404 over the wire, to a stranger as to who names an unknown one', async () => {
  const stranger = await world.market();
  const { id } = await make();
  const answers = [
    await market.send('GET', `/withdrawals/${id}`),
    await stranger.send('GET', `/withdrawals/${id}`),
    await market.send('GET', `/withdrawals/${newId('wd')}`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 404]);
  expect(answers[0]?.json.data.data).toMatchObject({ id, amount: '20.00', currency: 'USD' });
});

it('shows an operator no address of whoever is paid, in any answer about it', async () => {
  const payee = await payeeWith(world, market);
  const { id } = await createWithdrawal(world.app, market.call, wishOf(payee));
  const finance = await desk(world, { role: 'finance', marketplaceId: market.id });
  const answers = [
    await finance.send('GET', `/withdrawals/${id}`),
    await finance.send('GET', '/withdrawals?limit=100'),
    await finance.send('POST', `/withdrawals/${id}/refresh`),
  ];
  for (const { status, text } of answers) {
    expect(status, text).toBe(200);
    expect(text).toContain('•••@');
    expect(text).not.toContain(payee.email);
  }
  const { json } = await market.send('GET', `/withdrawals/${id}`);
  expect(json.data.data.destination.ref).toBe(payee.email);
});
