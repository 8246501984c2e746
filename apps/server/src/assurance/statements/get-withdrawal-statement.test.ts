import { expect, it } from 'vitest';
import { useMarketIn } from '../../testing/use-world.ts';
import { openPayoutWorld, withdrawalIn } from '../../testing/withdrawals.ts';

const { world, market } = useMarketIn(openPayoutWorld);

interface Line {
  readonly kind: string;
  readonly change: { readonly available: string; readonly reserved: string };
}

it.each([
  ['WITHDRAWAL_CREATED', ['-20.00 20.00'], '-20.00 20.00'],
  ['WITHDRAWAL_PENDING', ['-20.00 20.00'], '-20.00 20.00'],
  ['WITHDRAWAL_COMPLETED', ['-20.00 20.00', '0.00 -20.00'], '-20.00 0.00'],
  ['WITHDRAWAL_FAILED', ['-20.00 20.00', '20.00 -20.00'], '0.00 0.00'],
  ['WITHDRAWAL_CANCELED', ['-20.00 20.00', '20.00 -20.00'], '0.00 0.00'],
] as const)('returns the effect on the balance, for status %s', async (state, changes, closing) => {
  const { id } = await withdrawalIn(world, market, state);
  const response = await market.send('GET', `/withdrawals/${id}/statement`);
  expect(response.status, response.text).toBe(200);
  const { lines, ...statement } = response.json.data.data;
  expect(lines.map(({ change }: Line) => `${change.available} ${change.reserved}`)).toEqual(
    changes,
  );
  expect(`${statement.closing.available} ${statement.closing.reserved}`).toBe(closing);
  expect(statement).toMatchObject({ subjectType: 'Withdrawal', subjectId: id, currency: 'USD' });
});

it('is refused when the lines do not match its state', async () => {
  const { id } = await withdrawalIn(world, market, 'WITHDRAWAL_CREATED');
  await world.rows('update entry set amount = amount - 1 where subject_id = $1', [id]);
  const response = await market.send('GET', `/withdrawals/${id}/statement`);
  expect([response.status, response.json.error.code]).toEqual([500, 'STATEMENT_UNBALANCED']);
});
