//! The equation holds to the stroop, a breach stops payouts after two readings, and nobody outside
//! can stop them.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { creditBalance } from '../books/credit-balance.ts';
import { listHouseWallets } from '../custody/house-wallet.ts';
import type { Call, MasterActor } from '../platform/call.ts';
import { transact } from '../platform/transact.ts';
import { type EscrowWorld, refusalOf } from '../testing/escrows.ts';
import {
  addressOf,
  atRest,
  changeBalance,
  openReconciledWorld,
  playTraffic,
  readingOf,
  reconciled,
  seenBy,
  type Traffic,
} from '../testing/reconciliation.ts';
import { openStranger, payFromTreasury } from '../testing/strangers.ts';
import { createdBy, payeeWith } from '../testing/withdrawals.ts';
import type { Market } from '../testing/world.ts';
import { createTopup } from '../topups/create-topup.ts';
import { refreshTopup } from '../topups/refresh-topup.ts';
import { findPause, resumePayouts as liftPause } from '../withdrawals/payouts-pause.ts';
import { recordCapital } from './record-capital.ts';
import { recordSolvency, takeReading } from './record-solvency.ts';
import { resolveException } from './resolve-exception.ts';
import { resumePayouts } from './resume-payouts.ts';

let world: EscrowWorld;
let market: Market;
let traffic: Traffic;
beforeAll(async () => {
  world = await openReconciledWorld({ HOLDFAST_SOLVENCY_ADDRESSES: '5' });
  market = await world.market();
}, 60_000);
afterAll(() => world.close());

const master = (): Call<MasterActor> => ({
  actor: { kind: 'master', id: 'master' },
  requestId: randomUUID(),
  idempotency: undefined,
});

const isPaused = async () =>
  (await transact(world.app, market.call, findPause))?.reason !== undefined;

/** Past everything that writes payments down; the network's own fee is given back. */
async function takeFromTreasury(to: string, amount: string): Promise<void> {
  await payFromTreasury(world, to, amount);
  const [treasury] = await listHouseWallets(world.app.pool);
  await world.sandbox.deposit(treasury?.address ?? '', 'XLM', '0.00001');
}

const lift = () =>
  transact(world.app, market.call, (tx) => liftPause(tx, 'between two tests', 'test'));

// One story: each reading stands on what was there before.
describe('solvency', { shuffle: false }, () => {
  describe('the opening', () => {
    it('waits while the provider has money that the books have not', async () => {
      const userId = await market.user();
      const { id } = await createTopup(world.app, market.call, { userId, amount: '7.00' });
      await world.sandbox.setPayin(id, 'CONFIRMED');
      expect(await takeReading(world.custody)).toBeUndefined();
      expect(await world.rows('select from house_capital')).toEqual([]);
      await refreshTopup(world.app, market.call, id);
      await world.runWorker();
      await atRest(world);
    });
  });

  describe('at rest', () => {
    it('what is there is what is owed, to the stroop, whatever went on', async () => {
      const first = await readingOf(world);
      expect(first.usdc.liabilities.capital).toBe(2_000_000n * 10_000_000n);
      traffic = await playTraffic(world, market);
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

    it('takes one reading a minute, however many workers ask', async () => {
      const [{ count: before } = { count: 0 }] = await readings();
      expect(await recordSolvency(world.custody)).toBe(0);
      const [{ count: after } = { count: 0 }] = await readings();
      expect(after).toBe(before);
    });

    const readings = () =>
      world.rows<{ count: number }>('select count(*)::int as count from solvency_reading');
  });

  describe('what is on its way', () => {
    it('is exactly what the provider has moved and our books will', async () => {
      const userId = await market.user();
      const { id } = await createTopup(world.app, market.call, { userId, amount: '5.00' });
      await world.sandbox.setPayin(id, 'CONFIRMED');
      const waiting = await readingOf(world);
      expect(waiting).toMatchObject({ status: 'UNSETTLED' });
      expect(waiting.usdc).toMatchObject({ difference: 5_0000000n, inFlight: 5_0000000n });
      await changeBalance(world, -1n);
      expect((await readingOf(world)).status).toBe('BREACH');
      await changeBalance(world, 1n);
      await refreshTopup(world.app, market.call, id);
      await world.runWorker();
      await atRest(world);
      expect((await readingOf(world)).status).toBe('BALANCED');
      expect(await isPaused()).toBe(false);
    });

    it('explains what the mirror has still to send, and no more than that', async () => {
      const userId = await market.user();
      await world.runWorker();
      await creditBalance(world.app, market.call, userId, { amount: '9.00' });
      const before = await readingOf(world);
      expect(before.usdc).toMatchObject({ status: 'BALANCED', difference: 0n });
      expect(before.usdc.inFlight).toBe(9_0000000n);
      const stranger = await openStranger(world);
      await takeFromTreasury(stranger.address, '9.0000001');
      expect((await readingOf(world)).usdc).toMatchObject({ status: 'BREACH' });
      const [treasury] = await listHouseWallets(world.app.pool);
      await stranger.pay(treasury?.address ?? '', '9.0000001');
      await atRest(world);
      expect((await readingOf(world)).status).toBe('BALANCED');
      expect(await isPaused()).toBe(false);
    });
  });

  describe('a breach', () => {
    it('stops payouts when it stands in two readings, until somebody says why not', async () => {
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
        details: { reason: 'what is there in USDC differs from what is owed' },
      });

      const run = await reconciled(world, market);
      const [changed] = await seenBy(world, market, run.id);
      if (changed === undefined) throw new Error('the run names it');
      const wish = { action: 'BOOK_TO_SUSPENSE', reason: 'asked the provider' } as const;
      await resolveException(world.app, market.call, changed.id, wish);
      expect((await readingOf(world)).status).toBe('BALANCED');
      // It does not go on by itself: a person has looked.
      expect(await isPaused()).toBe(true);
      const reason = 'the difference is booked to suspense';
      const resumed = await resumePayouts(world.app, master(), { reason });
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
      const nothing = await refusalOf(resumePayouts(world.app, master(), { reason }));
      expect(nothing.code).toBe('INVALID_STATE');
    });

    it('is a treasury that has lost something; capital that was taken out on purpose is none', async () => {
      await atRest(world);
      const stranger = await openStranger(world);
      await takeFromTreasury(stranger.address, '3.0000007');
      const lost = await readingOf(world);
      expect(lost.usdc).toMatchObject({ status: 'BREACH', difference: -3_0000007n });
      const run = await reconciled(world, market, { providers: ['ledger_network'] });
      expect((await seenBy(world, market, run.id)).map(({ cause }) => cause)).toEqual([
        'TREASURY_DIFFERENCE',
      ]);
      await recordCapital(world.app, master(), {
        place: 'ledger_network',
        asset: 'USDC',
        amount: '-3.0000007',
        reason: 'paid an invoice',
      });
      expect((await readingOf(world)).status).toBe('BALANCED');
      await lift();
    });

    it('is an address that lacks what it should hold, once the walk has come to it', async () => {
      await atRest(world);
      await world.rows(
        `update wallet_mirror set stroops = stroops + 50 where user_id = $1 and asset = 'USDC'`,
        [traffic.userId],
      );
      await world.rows(`update address_walk set last_address = ''`);
      const [{ known } = { known: 0 }] = await world.rows<{ known: number }>(
        'select work.wallets_known()::int as known',
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

    it('is never what strangers send: more than there should be stops nothing', async () => {
      await atRest(world);
      const [treasury] = await listHouseWallets(world.app.pool);
      await world.sandbox.deposit(treasury?.address ?? '', 'USDC', '1000');
      await world.sandbox.deposit(await addressOf(world, traffic.userId), 'USDC', '500');
      for (let time = 0; time < 3; time += 1)
        expect((await readingOf(world)).usdc).toMatchObject({
          status: 'SURPLUS',
          difference: 1000_0000000n,
        });
      expect(await isPaused()).toBe(false);
    });

    it('is not what nobody could read', async () => {
      const { network } = world.custody;
      const deaf = {
        ...world.custody,
        network: {
          ...network,
          account: async () => ({ kind: 'unknown' as const, reason: 'no answer' }),
        },
      };
      expect(await recordSolvency(deaf)).toBe(0);
    });
  });
});
