import { expect, it } from 'vitest';
import { resolveDispute } from '../../orders/disputes/resolve-dispute.ts';
import { releaseOrder } from '../../orders/settlement/release-order.ts';
import { escrowOrderIn, useAuditedBooks, useEscrowWorld } from '../../testing/escrows.ts';

const { world, market } = useEscrowWorld();
useAuditedBooks(world);

const report = (query = '') => market.send('GET', `/reports/fees${query}`);

it('lists the fee of every order that paid one, and sums to the fee account', async () => {
  expect((await report()).json.data.data).toMatchObject({ lines: [], closing: { total: '0.00' } });
  const released = await escrowOrderIn(world, market, 'IN_PROGRESS');
  await releaseOrder(world.app, market.call, released.id);
  const split = await escrowOrderIn(world, market, 'UNDER_REVIEW');
  const parts = { decision: 'SPLIT', releaseAmount: '60.00', refundAmount: '40.00' } as const;
  await resolveDispute(world.app, market.call, split.disputeId, parts);
  const { lines, opening, closing } = (await report()).json.data.data;
  expect(opening.total).toBe('0.00');
  expect(
    lines.map((line: { subjectId: string; change: { total: string } }) => [
      line.subjectId,
      line.change.total,
    ]),
  ).toEqual([
    [released.id, '5.00'],
    [split.id, '3.00'],
  ]);
  expect(closing.total).toBe('8.00');
  const later = await report(`?from=${encodeURIComponent(lines[1].at)}`);
  expect(later.json.data.data).toMatchObject({
    opening: { total: '5.00' },
    closing: { total: '8.00' },
    lines: [{ subjectId: split.id }],
  });
});

it('is refused when another posting touched the fee account', async () => {
  const other = await world.market();
  const readReport = () => other.send('GET', '/reports/fees');
  expect((await readReport()).status).toBe(200);
  await world.rows(
    `with opened as (insert into account (marketplace_id, kind, owner_id, currency, updated_at)
       values ($1, 'fee_income', '', 'USD', now()) returning id)
     insert into house_delta (marketplace_id, account_id, delta) select $1, id, 1 from opened`,
    [other.call.actor.marketplace],
  );
  expect((await readReport()).json.error.code).toBe('STATEMENT_UNBALANCED');
  await world.rows('delete from house_delta where marketplace_id = $1', [
    other.call.actor.marketplace,
  ]);
});
