import { expect, it } from 'vitest';
import { useOpened } from '../../testing/use-world.ts';
import { createdBy, openPayoutWorld, payeeWith, withdrawalIn } from '../../testing/withdrawals.ts';

const world = useOpened(openPayoutWorld);
const market = useOpened(() => world.market());

const list = async (query: string) => {
  const { json } = await market.send('GET', `/withdrawals?${query}`);
  const { data, nextCursor } = json.data as { data: { id: string }[]; nextCursor: string | null };
  return { ids: data.map(({ id }) => id), nextCursor };
};

it('returns withdrawals newest first, by page, and filters by status, user and time', async () => {
  const payee = await payeeWith(world, market, { funds: '90.00' });
  const created: string[] = [];
  for (let index = 0; index < 3; index += 1) created.push(await createdBy(world, market, payee));
  const sent = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
  const ended = await withdrawalIn(world, market, 'WITHDRAWAL_FAILED');
  const all = [ended.id, sent.id, ...created.toReversed()];
  expect((await list('')).ids).toEqual(all);
  const first = await list('limit=2');
  expect(first.ids).toEqual(all.slice(0, 2));
  expect((await list(`limit=3&cursor=${first.nextCursor}`)).ids).toEqual(all.slice(2));
  expect((await list('status=WITHDRAWAL_CREATED')).ids).toEqual(created.toReversed());
  expect((await list('status=WITHDRAWAL_PENDING')).ids).toEqual([sent.id]);
  expect((await list('status=WITHDRAWAL_FAILED')).ids).toEqual([ended.id]);
  expect((await list(`userId=${payee.userId}`)).ids).toEqual(created.toReversed());
  expect((await list(`userId=${payee.userId}&status=WITHDRAWAL_PENDING`)).ids).toEqual([]);
  const later = new Date(Date.now() + 60_000).toISOString();
  expect((await list(`createdAfter=${later}`)).ids).toEqual([]);
  expect((await list(`createdBefore=${later}`)).ids).toEqual(all);
  const other = await world.market();
  const { json } = await other.send('GET', '/withdrawals');
  expect(json.data.data).toEqual([]);
});
