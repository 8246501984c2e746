//! Tests that a difference is not posted once the books have corrected it by themselves.
import { expect, it } from 'vitest';
import { refreshTopup } from '../../payments/topups/refresh-topup.ts';
import { transact } from '../../platform/database/transact.ts';
import { auditBooks, balanceOf, refusalOf } from '../../testing/escrows.ts';
import { reconciled, seenBy, toppedUp, useReconciledWorld } from '../../testing/reconciliation.ts';
import { reverseAtProvider } from '../../testing/topups.ts';
import { comparePayment } from '../comparison/compare-payments.ts';
import { findOwnPayments } from '../comparison/own-payments.ts';
import { recordException } from './exception.ts';
import { resolveException } from './resolve-exception.ts';

const { world, market } = useReconciledWorld();

it('a reversal that was booked since the run is not charged to the user again', async () => {
  const userId = await market.user();
  const topupId = await toppedUp(world, market, userId);
  await reverseAtProvider(world, topupId);
  const run = await reconciled(world, market, { providers: ['payment_provider'] });
  // The run itself waits a while for the poll; this is what it records after that.
  const own = await findOwnPayments(world.worker.pool, 'payin', [topupId]);
  const ours = own.get(topupId);
  const page = await world.app.payments?.listPayins({ after: null, count: 50 });
  if (ours === undefined || page?.kind !== 'done') throw new Error('both sides have it');
  const theirs = page.value.items.find(({ code }) => code === topupId);
  const settledBefore = Date.now() + 60_000;
  const pair = { kind: 'payin', ours, theirs, resolvedMinor: 0n, doubles: null } as const;
  const { difference } = comparePayment({ ...pair, settledBefore });
  if (difference === undefined) throw new Error('they differ');
  await transact(world.worker, market.call, (tx) =>
    recordException(tx, { id: run.id, provider: 'payment_provider' }, difference),
  );
  const [exception] = await seenBy(world, market, run.id);
  if (exception === undefined) throw new Error('it is recorded');
  await refreshTopup(world.app, market.call, topupId);
  const charge = () =>
    resolveException(world.app, market.call, exception.id, {
      ...{ action: 'CHARGE_USER', userId, reason: 'it was reversed' },
    });
  const { code, details } = await refusalOf(charge());
  expect(code).toBe('INVALID_STATE');
  expect(details['reason']).toBe('the books now have -0.60 for it, not 49.40: start a new run');
  expect(await balanceOf(world, market, userId)).toBe('0.00 0.00');
  expect(await auditBooks(world)).toEqual([]);
});
