//! Tests how money that no record has confirmed is found by a run, and resolved by two people.
import type { ExceptionId, TopupId, UserId } from '@holdfast/kernel/ids';
import { beforeAll, describe, expect, it } from 'vitest';
import { applyPayinNotification } from '../../payments/topups/apply-payin.ts';
import { createTopup } from '../../payments/topups/create-topup.ts';
import { refreshTopup } from '../../payments/topups/refresh-topup.ts';
import { applyPayoutNotification } from '../../payments/withdrawals/apply-payout-notification.ts';
import { auditBooks, balanceOf, refusalOf } from '../../testing/escrows.ts';
import { desk } from '../../testing/operators.ts';
import { oneCall } from '../../testing/orders.ts';
import { atRest, reconciled, seenBy, useReconciledWorld } from '../../testing/reconciliation.ts';
import { payoutNotification, type WithdrawalIn, withdrawalIn } from '../../testing/withdrawals.ts';
import type { Exception, ResolutionInput } from './exception.ts';
import { resolveException } from './resolve-exception.ts';

const { world, market } = useReconciledWorld();

interface Forged {
  readonly id: TopupId;
  readonly userId: UserId;
}

/** A signed notification reports a payment of 50.00; its record is open. */
async function forgedPayin(): Promise<Forged> {
  const userId = await market.user();
  const { id } = await createTopup(world.app, market.call, { userId, amount: '50.00' });
  await applyPayinNotification(
    world.app,
    oneCall(market),
    id,
    {
      eventId: id,
      type: 'payin.succeeded',
      occurredAt: null,
      id,
      code: id,
      amountMinor: 5000n,
      currency: 'USD',
      status: 'confirmed',
      reasonCode: null,
      reasonDescription: null,
    },
    async () => undefined,
  );
  return { id, userId };
}

/** A payout of 20.00 is on its way, and a signed notification calls it failed. */
async function forgedFailure(): Promise<WithdrawalIn> {
  const withdrawal = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
  const failed = payoutNotification(withdrawal, 'failed');
  const { app } = world;
  await applyPayoutNotification(app, oneCall(market), withdrawal.id, failed, async () => undefined);
  return withdrawal;
}

let denied: Forged;
let lagging: Forged;
let allowed: Forged;
let payout: WithdrawalIn;
let found: ReadonlyMap<string, Exception>;
beforeAll(async () => {
  [denied, lagging, allowed] = [await forgedPayin(), await forgedPayin(), await forgedPayin()];
  payout = await forgedFailure();
  for (const { id } of [denied, allowed]) {
    await world.sandbox.setPayin(id, 'FAILED');
    await refreshTopup(world.app, market.call, id);
  }
  await atRest(world);
  expect((await reconciled(world, market)).figures.opened).toBe(0);
  await world.rows(`update lien set opened_at = opened_at - interval '11 minutes'`);
  const run = await reconciled(world, market);
  const seen = await seenBy(world, market, run.id);
  found = new Map(seen.map((each) => [each.resourceId ?? '', each]));
});

const idOf = (id: string): ExceptionId => found.get(id)?.id as ExceptionId;
const resolve = (id: string, input: Omit<ResolutionInput, 'reason'>) =>
  resolveException(world.app, oneCall(market), idOf(id), { ...input, reason: 'looked into it' });
const postingsOf = async (id: string) => {
  const rows = await world.rows<{ posting: string }>(
    `select e.kind || ' ' || e.amount || ' ' || f.kind || ' ' || t.kind as posting from entry e
     join account f on f.id = e.from_account join account t on t.id = e.to_account
     where e.subject_id in ($1, $2) order by e.id`,
    [id, idOf(id)],
  );
  return rows.map(({ posting }) => posting);
};
const moneyOf = async ({ userId }: { readonly userId: UserId }) => {
  const [row] = await world.rows<{ unconfirmed: string }>(
    `select unconfirmed from account where kind = 'user' and owner_id = $1`,
    [userId],
  );
  return [await balanceOf(world, market, userId), row?.unconfirmed];
};

// One sequence: a resolved exception stays resolved.
describe('money that no record confirms for ten minutes', { shuffle: false }, () => {
  it('is an exception, with the ways to resolve it', () => {
    const facts = [denied, lagging, allowed, payout].map(({ id }) => {
      const { cause, stroops } = found.get(id) ?? {};
      return [cause, stroops];
    });
    const topup = ['MONEY_UNCONFIRMED', -500_000_000n];
    expect(facts).toEqual([topup, topup, topup, ['MONEY_UNCONFIRMED', -200_000_000n]]);
    expect(found.size).toBe(4);
    expect(found.get(payout.id)?.suggestedActions).toEqual([
      'APPLY_AGAIN',
      'CHARGE_USER',
      'WRITE_OFF',
    ]);
  });

  it('is not taken from another user', async () => {
    const charge = { action: 'CHARGE_USER', userId: payout.userId } as const;
    expect((await refusalOf(resolve(denied.id, charge))).code).toBe('INVALID_STATE');
  });

  it('needs two operators', async () => {
    const path = `/reconciliation/exceptions/${idOf(allowed.id)}/resolve`;
    const finance = await desk(world, { marketplaceId: market.id, role: 'finance' });
    const body = { action: 'WRITE_OFF', reason: 'paid in cash', expectedAmount: '-50.00' };
    expect((await finance.send('POST', path, { body })).status).toBe(202);
    expect(await moneyOf(allowed)).toEqual(['50.00 0.00', '5000']);
  });

  it('is taken back after the record denied it, so that suspense is even', async () => {
    await resolve(denied.id, { action: 'CHARGE_USER', userId: denied.userId });
    expect(await moneyOf(denied)).toEqual(['0.00 0.00', '0']);
    expect(await postingsOf(denied.id)).toEqual([
      'topup 5000 payment_clearing user',
      'topup_suspense_return 5000 suspense payment_clearing',
      'topup_reversal 5000 user payment_clearing',
      'topup_suspense 5000 payment_clearing suspense',
    ]);
  });

  it('is taken back while the record lags, and paid again once it confirms', async () => {
    await resolve(lagging.id, { action: 'CHARGE_USER', userId: lagging.userId });
    expect(await moneyOf(lagging)).toEqual(['0.00 0.00', '0']);
    await world.sandbox.setPayin(lagging.id, 'CONFIRMED');
    await refreshTopup(world.app, market.call, lagging.id);
    expect(await moneyOf(lagging)).toEqual(['50.00 0.00', '0']);
  });

  it('is left to the user, and the marketplace pays', async () => {
    await resolve(allowed.id, { action: 'WRITE_OFF' });
    expect(await moneyOf(allowed)).toEqual(['50.00 0.00', '0']);
    expect((await postingsOf(allowed.id)).at(-1)).toBe(
      'exception_write_off 5000 provider_fees suspense',
    );
  });

  it('of a payout is taken again as paid', async () => {
    await resolve(payout.id, { action: 'CHARGE_USER', userId: payout.userId });
    expect(await moneyOf(payout)).toEqual(['30.00 0.00', '0']);
    expect((await postingsOf(payout.id)).at(-1)).toBe(
      'withdrawal_retake 2000 user payment_clearing',
    );
  });

  it('is no exception any more, and the books are whole', async () => {
    await world.sandbox.setPayout(payout.id, 'COMPLETED');
    await atRest(world);
    expect((await reconciled(world, market)).figures).toMatchObject({ opened: 0, seenAgain: 0 });
    expect(await auditBooks(world)).toEqual([]);
  });
});
