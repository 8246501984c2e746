import { expect, it } from 'vitest';
import { desk } from '../../testing/operators.ts';
import {
  createdBy,
  inputOf,
  payeeWith,
  usePayoutWorld,
  withdrawalIn,
} from '../../testing/withdrawals.ts';
import { createWithdrawal } from './create-withdrawal.ts';
import { getWithdrawal } from './read-withdrawals.ts';

const { world, market } = usePayoutWorld();

const create = async () =>
  createWithdrawal(world.app, market.call, inputOf(await payeeWith(world, market)));

it('returns the requested withdrawal, and no other', async () => {
  for (const created of [await create(), await create()]) {
    const { id } = created;
    expect(await getWithdrawal(world.app, market.call, id)).toEqual(created);
    const { json } = await market.send('GET', `/withdrawals/${id}`);
    expect(json.data.data).toMatchObject({ id, amount: '20.00', currency: 'USD' });
  }
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

it('lists withdrawals newest first, and filters by status, user and time', async () => {
  const shop = await world.market();
  const payee = await payeeWith(world, shop, { funds: '90.00' });
  const created: string[] = [];
  for (let index = 0; index < 3; index += 1) created.unshift(await createdBy(world, shop, payee));
  const sent = await withdrawalIn(world, shop, 'WITHDRAWAL_PENDING');
  const ended = await withdrawalIn(world, shop, 'WITHDRAWAL_FAILED');
  const all = [ended.id, sent.id, ...created];
  const later = new Date(Date.now() + 60_000).toISOString();
  for (const [query, found] of [
    ['', all],
    ['limit=2', all.slice(0, 2)],
    ['status=WITHDRAWAL_CREATED', created],
    ['status=WITHDRAWAL_PENDING', [sent.id]],
    ['status=WITHDRAWAL_FAILED', [ended.id]],
    [`userId=${payee.userId}`, created],
    [`userId=${payee.userId}&status=WITHDRAWAL_PENDING`, []],
    [`createdAfter=${later}`, []],
    [`createdBefore=${later}`, all],
  ] as const) {
    const { json } = await shop.send('GET', `/withdrawals?${query}`);
    expect(
      json.data.data.map(({ id }: { id: string }) => id),
      query,
    ).toEqual(found);
  }
});
