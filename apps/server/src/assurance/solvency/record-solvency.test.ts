//! Tests that the equation holds to the stroop, that a breach stops payouts after two readings, and
//! that external payers cannot cause one.
import { describe, expect, it, vi } from 'vitest';
import { creditBalance } from '../../accounts/books/credit-balance.ts';
import { listHouseWallets } from '../../accounts/custody/house-wallet.ts';
import { endBatch, insertBatch } from '../../payments/mirror/batch.ts';
import { markMirrorDue } from '../../payments/mirror/due-user.ts';
import { createTopup } from '../../payments/topups/create-topup.ts';
import { refreshTopup } from '../../payments/topups/refresh-topup.ts';
import { findPause, resumePayouts as liftPause } from '../../payments/withdrawals/payouts-pause.ts';
import { transact } from '../../platform/database/transact.ts';
import type { PaymentProvider } from '../../providers/payments/payment-provider.ts';
import { refusalOf } from '../../testing/escrows.ts';
import { openExternalPayer, payFromTreasury } from '../../testing/external-payer.ts';
import {
  atRest,
  changeBalance,
  readingOf,
  reconciled,
  runTraffic,
  seenBy,
  type Traffic,
  useReconciledWorld,
} from '../../testing/reconciliation.ts';
import { addressOf } from '../../testing/sandbox-world.ts';
import { createdBy, payeeWith } from '../../testing/withdrawals.ts';
import { masterCall } from '../../testing/world.ts';
import { resolveException } from '../reconciliation/resolve-exception.ts';
import { recordCapital } from './record-capital.ts';
import { recordSolvency, takeReading } from './record-solvency.ts';
import { resumePayouts } from './resume-payouts.ts';

const { world, market } = useReconciledWorld({ HOLDFAST_SOLVENCY_ADDRESSES: '5' });
let traffic: Traffic;

const isPaused = async () =>
  (await transact(world.app, market.call, findPause))?.reason !== undefined;

/** Bypasses everything that records payments; the network's own fee is given back. */
async function takeFromTreasury(to: string, amount: string): Promise<void> {
  await payFromTreasury(world, to, amount);
  const [treasury] = await listHouseWallets(world.worker.pool);
  await world.sandbox.deposit(treasury?.address ?? '', 'XLM', '0.00001');
}

const lift = () =>
  transact(world.app, market.call, (tx) => liftPause(tx, 'between two tests', 'test'));

// One sequence: each reading depends on the state before it.
describe('solvency', { shuffle: false }, () => {
  describe('the opening', () => {
    it('waits while the provider has money that the books do not have', async () => {
      const userId = await market.user();
      const { id } = await createTopup(world.app, market.call, { userId, amount: '7.00' });
      await world.sandbox.setPayin(id, 'CONFIRMED');
      await expectNoOpening();
      await refreshTopup(world.app, market.call, id);
      await world.runWorker();
      await atRest(world);
    });

    it('waits for the address of a user whose money has moved on the network', async () => {
      const userId = await market.user();
      await transact(world.app, market.call, (tx) => markMirrorDue(tx, userId));
      await expectNoOpening();
      await world.runWorker();
      await atRest(world);
    });

    it('waits for the outcome of a transfer of the mirror', async () => {
      const transfer = {
        userId: await market.user(),
        asset: 'USDC' as const,
        address: 'G',
        stroops: -1n,
      };
      const id = await transact(world.worker, market.call, (tx) => insertBatch(tx, [transfer]));
      await expectNoOpening();
      await transact(world.worker, market.call, (tx) => endBatch(tx, id, 'FAILED'));
    });

    async function expectNoOpening(): Promise<void> {
      expect(await takeReading(world.custody)).toBeUndefined();
      expect(await world.rows('select from house_capital')).toEqual([]);
    }
  });

  describe('at rest', () => {
    it('the assets equal the liabilities, to the stroop, after all kinds of traffic', async () => {
      const first = await readingOf(world);
      expect(first.usdc.liabilities.capital).toBe(2_000_000n * 10_000_000n);
      traffic = await runTraffic(world, market);
      const { status, usdc, xlm, addressesRead } = await readingOf(world);
      expect({ status, usdc: usdc.difference, xlm: xlm.difference }).toEqual({
        status: 'BALANCED',
        usdc: 0n,
        xlm: 0n,
      });
      expect(usdc.liabilities).toMatchObject({
        escrow: 20_0000000n,
        fees: 5_0000000n,
        // 0.3% of 100.01 and of 33.33, each rounded down to the stroop.
        providerFees: 3000300n + 999900n,
      });
      expect(usdc.inFlight).toBe(0n);
      expect(addressesRead).toBe(5);
    });

    it('takes one reading a minute, however many workers try', async () => {
      const [{ count: before } = { count: 0 }] = await readings();
      expect(await recordSolvency(world.custody)).toBe(0);
      const [{ count: after } = { count: 0 }] = await readings();
      expect(after).toBe(before);
    });

    const readings = () =>
      world.rows<{ count: number }>('select count(*)::int as count from solvency_reading');
  });

  describe('money in transit', () => {
    it('is exactly the amount that the provider has moved and our books will', async () => {
      const userId = await market.user();
      const { id } = await createTopup(world.app, market.call, { userId, amount: '5.00' });
      await world.sandbox.setPayin(id, 'CONFIRMED');
      const waiting = await readingOf(world);
      expect(waiting).toMatchObject({ status: 'UNSETTLED' });
      // The provider keeps 1% and 0.10 of it.
      expect(waiting.usdc).toMatchObject({ difference: 4_8500000n, inFlight: 4_8500000n });
      await changeBalance(world, -1n);
      expect((await readingOf(world)).status).toBe('BREACH');
      await changeBalance(world, 1n);
      await refreshTopup(world.app, market.call, id);
      await world.runWorker();
      await atRest(world);
      expect((await readingOf(world)).status).toBe('BALANCED');
      expect(await isPaused()).toBe(false);
    });

    it('may change between the provider’s balance and its lists', async () => {
      const userId = await market.user();
      const [first, second] = [
        await createTopup(world.app, market.call, { userId, amount: '5.00' }),
        await createTopup(world.app, market.call, { userId, amount: '6.00' }),
      ];
      await world.sandbox.setPayin(first.id, 'CONFIRMED');
      const payments = world.custody.payments as PaymentProvider;
      const readBalance = payments.balance.bind(payments);
      const balance = vi.spyOn(payments, 'balance').mockImplementationOnce(async () => {
        const read = await readBalance();
        await world.sandbox.setPayin(second.id, 'CONFIRMED');
        return read;
      });
      expect((await readingOf(world)).status).toBe('UNSETTLED');
      expect(balance).toHaveBeenCalledTimes(2);
      balance.mockRestore();
      for (const { id } of [first, second]) await refreshTopup(world.app, market.call, id);
      await world.runWorker();
      await atRest(world);
      expect((await readingOf(world)).status).toBe('BALANCED');
    });

    it('explains the mirror’s outstanding transfers, and no more than that', async () => {
      const userId = await market.user();
      await world.runWorker();
      await creditBalance(world.app, market.call, userId, { amount: '9.00' });
      const before = await readingOf(world);
      expect(before.usdc).toMatchObject({ status: 'BALANCED', difference: 0n });
      expect(before.usdc.inFlight).toBe(9_0000000n);
      const payer = await openExternalPayer(world);
      await takeFromTreasury(payer.address, '9.0000001');
      expect((await readingOf(world)).usdc).toMatchObject({ status: 'BREACH' });
      const [treasury] = await listHouseWallets(world.worker.pool);
      await payer.pay(treasury?.address ?? '', '9.0000001');
      await atRest(world);
      expect((await readingOf(world)).status).toBe('BALANCED');
      expect(await isPaused()).toBe(false);
    });
  });

  describe('a breach', () => {
    it('stops payouts after two readings, until an operator resumes them', async () => {
      const payee = await payeeWith(world, market);
      await atRest(world);
      await changeBalance(world, -5000n);
      expect((await readingOf(world)).usdc).toMatchObject({
        status: 'BREACH',
        difference: -50_0000000n,
        atPaymentProvider: -50_0000000n,
      });
      expect(await isPaused()).toBe(false);
      await readingOf(world);
      expect(await isPaused()).toBe(true);
      const refusal = await refusalOf(createdBy(world, market, payee));
      expect(refusal).toEqual({
        code: 'PAYOUTS_PAUSED',
        details: { reason: 'USDC assets differ from USDC liabilities.' },
      });

      const run = await reconciled(world, market);
      const [changed] = await seenBy(world, market, run.id);
      if (changed === undefined) throw new Error('the run names it');
      const input = { action: 'BOOK_TO_SUSPENSE', reason: 'checked with the provider' } as const;
      await resolveException(world.app, market.call, changed.id, input);
      expect((await readingOf(world)).status).toBe('BALANCED');
      // Payouts do not resume by themselves: an operator has to act.
      expect(await isPaused()).toBe(true);
      const reason = 'the difference is booked to suspense';
      const resumed = await resumePayouts(world.app, masterCall(), { reason });
      expect(resumed.pause).toBeUndefined();
      expect(await createdBy(world, market, payee)).toMatch(/^wd_/);
      const audited = await world.rows(
        `select action, reason, actor_type from audit
       where resource_type = 'Solvency' and action <> 'CAPITAL_RECORDED' order by id`,
      );
      expect(audited).toEqual([
        expect.objectContaining({ action: 'SOLVENCY_BREACHED', actor_type: 'SYSTEM' }),
        { action: 'PAYOUTS_RESUMED', reason, actor_type: 'MASTER_KEY' },
      ]);
      const nothing = await refusalOf(resumePayouts(world.app, masterCall(), { reason }));
      expect(nothing.code).toBe('INVALID_STATE');
    });

    it('is a treasury that has lost money; capital taken out on purpose is none', async () => {
      await atRest(world);
      const payer = await openExternalPayer(world);
      await takeFromTreasury(payer.address, '3.0000007');
      const lost = await readingOf(world);
      expect(lost.usdc).toMatchObject({ status: 'BREACH', difference: -3_0000007n });
      const run = await reconciled(world, market, { providers: ['ledger_network'] });
      expect((await seenBy(world, market, run.id)).map(({ cause }) => cause)).toEqual([
        'TREASURY_DIFFERENCE',
      ]);
      await recordCapital(world.app, masterCall(), {
        location: 'ledger_network',
        asset: 'USDC',
        amount: '-3.0000007',
        reason: 'paid an invoice',
      });
      expect((await readingOf(world)).status).toBe('BALANCED');
      await lift();
    });

    it('is an address that lacks its amount, once the walk has reached it', async () => {
      await atRest(world);
      await world.rows(
        `update wallet_mirror set stroops = stroops + 50 where user_id = $1 and asset = 'USDC'`,
        [traffic.userId],
      );
      await world.rows(`update address_scan set last_address = ''`);
      const [{ known } = { known: 0 }] = await world.rows<{ known: number }>(
        'select work.count_ready_wallets()::int as known',
      );
      for (let read = 0; read < known; read += 5) await readingOf(world);
      const [lacking] = await world.rows(
        'select user_id, stroops from address_shortfall where user_id = $1',
        [traffic.userId],
      );
      expect(lacking).toEqual({ user_id: traffic.userId, stroops: '50' });
      await world.rows(
        `update wallet_mirror set stroops = stroops - 50 where user_id = $1 and asset = 'USDC'`,
        [traffic.userId],
      );
      expect((await readingOf(world)).status).toBe('BALANCED');
      expect(await world.rows('select from address_shortfall')).toEqual([]);
    });

    it('is never caused by external payments: an excess stops nothing', async () => {
      await atRest(world);
      const [treasury] = await listHouseWallets(world.worker.pool);
      await world.sandbox.deposit(treasury?.address ?? '', 'USDC', '1000');
      await world.sandbox.deposit(await addressOf(world, traffic.userId), 'USDC', '500');
      for (let time = 0; time < 3; time += 1)
        expect((await readingOf(world)).usdc).toMatchObject({
          status: 'SURPLUS',
          difference: 1000_0000000n,
        });
      expect(await isPaused()).toBe(false);
    });

    it('is not caused by an unreadable balance', async () => {
      const { network } = world.custody;
      const deaf = {
        ...world.custody,
        network: {
          ...network,
          account: async () => ({ kind: 'unknown' as const, reason: 'no reply' }),
        },
      };
      expect(await recordSolvency(deaf)).toBe(0);
    });
  });
});
