//! A world with everything that reconciliation compares: traffic of every kind, and ways to plant
//! discrepancies.
import { randomUUID } from 'node:crypto';
import { systemClock } from '@holdfast/kernel/clock';
import type { RunId, TopupId, UserId, WithdrawalId } from '@holdfast/kernel/ids';
import { newId } from '@holdfast/kernel/ids';
import { creditBalance } from '../accounts/books/credit-balance.ts';
import {
  createReconciliationRun,
  type RunInput,
} from '../assurance/reconciliation/create-reconciliation-run.ts';
import {
  getReconciliationRun,
  listExceptions,
} from '../assurance/reconciliation/read-reconciliation.ts';
import { takeReading } from '../assurance/solvency/record-solvency.ts';
import { refundOrder } from '../orders/settlement/refund-order.ts';
import { releaseOrder } from '../orders/settlement/release-order.ts';
import { creditDepositsOf } from '../payments/deposits/address-deposits.ts';
import { createTopup } from '../payments/topups/create-topup.ts';
import { refreshTopup } from '../payments/topups/refresh-topup.ts';
import { completeAll, type EscrowWorld, escrowOrderIn } from './escrows.ts';
import { runMirror } from './mirror.ts';
import { addressOf } from './sandbox-world.ts';
import { useMarketIn, useOpened, type WorldWithMarket } from './use-world.ts';
import { openPayoutWorld, withdrawalIn } from './withdrawals.ts';
import type { Market } from './world.ts';

export async function openReconciledWorld(env: Record<string, string> = {}): Promise<EscrowWorld> {
  return openPayoutWorld({
    HOLDFAST_PUBLIC_URL: 'http://localhost:4400',
    HOLDFAST_TOPUPS_PER_USER: 'off',
    ...env,
  });
}

export function useReconciledWorld(env: Record<string, string> = {}): WorldWithMarket<EscrowWorld> {
  return useMarketIn(() => openReconciledWorld(env));
}

/** A top-up of 50.00 that came in. */
export async function toppedUp(
  { app, sandbox }: EscrowWorld,
  { call }: Market,
  userId: UserId,
): Promise<TopupId> {
  const { id } = await createTopup(app, call, { userId, amount: '50.00' });
  await sandbox.setPayin(id, 'CONFIRMED');
  await refreshTopup(app, call, id);
  return id;
}

export interface Traffic {
  /** A user with money at an address. */
  readonly userId: UserId;
  readonly address: string;
  readonly withdrawalId: WithdrawalId;
  readonly email: string;
}

/**
 * Top-up, credit, deposit, release, refund, an order in escrow, payouts; then waits until all are
 * done.
 */
export async function runTraffic(world: EscrowWorld, market: Market): Promise<Traffic> {
  const { app } = world;
  const { call } = market;
  const userId = await market.user();
  await world.runWorker();
  await toppedUp(world, market, userId);
  await creditBalance(app, call, userId, { amount: '12.34' });
  const address = await addressOf(world, userId);
  await world.sandbox.deposit(address, 'USDC', '7.5');
  await credited(world, address);
  const released = await escrowOrderIn(world, market, 'IN_PROGRESS', { amount: '100.01' });
  await completeAll(world, market, released);
  await releaseOrder(app, call, released.id);
  const refunded = await escrowOrderIn(world, market, 'IN_PROGRESS', { amount: '33.33' });
  await refundOrder(app, call, refunded.id, { reason: 'not needed' });
  await escrowOrderIn(world, market, 'IN_PROGRESS', { amount: '20.00' });
  const { id: withdrawalId, email } = await withdrawalIn(world, market, 'WITHDRAWAL_COMPLETED');
  await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
  await atRest(world);
  return { userId, address, withdrawalId, email };
}

/** A reading was taken before this traffic. */
export function useTraffic(): WorldWithMarket<EscrowWorld> & { readonly traffic: Traffic } {
  const { world, market } = useReconciledWorld();
  const traffic = useOpened(async () => {
    await readingOf(world);
    return runTraffic(world, market);
  });
  return { world, market, traffic };
}

/** Everything that was started is done, and addresses hold the booked amounts. */
export async function atRest(world: EscrowWorld): Promise<void> {
  await world.runWorker();
  await world.engine.runWorker();
  const due = await runMirror(world, world.custody);
  if (due > 0) throw new Error(`${due} addresses are not at rest`);
}

export async function credited({ custody }: EscrowWorld, address: string): Promise<void> {
  const outcome = await creditDepositsOf(custody, address);
  if (outcome.kind !== 'done') throw new Error(outcome.reason);
}

/** Changes the provider's balance by this many cents, without a record. */
export async function changeBalance({ app, sandbox }: EscrowWorld, cents: bigint): Promise<void> {
  const found = await app.payments?.balance();
  if (found?.kind !== 'done') throw new Error('the provider returns no balance');
  const minor = (found.value.availableMinor + cents).toString().padStart(3, '0');
  const balance = `${minor.slice(0, -2)}.${minor.slice(-2)}`;
  await sandbox.control('POST', '/payment', { balance });
}

/** A pay-in that came in without a record of ours. */
export async function strayPayin({ app, sandbox }: EscrowWorld, cents: bigint): Promise<string> {
  const code = newId('topup', systemClock.now());
  const created = await app.payments?.createPayin({
    code,
    amountMinor: cents,
    description: 'from before the restore',
    returnUrl: 'https://shop.example/back',
    cancelUrl: 'https://shop.example/never-mind',
  });
  if (created?.kind !== 'done') throw new Error('the provider made no pay-in');
  await sandbox.setPayin(code, 'CONFIRMED');
  return created.value.id;
}

/** A second payout for a withdrawal, under another code. */
export async function doublePayout(
  { app, sandbox }: EscrowWorld,
  { withdrawalId, email }: Pick<Traffic, 'withdrawalId' | 'email'>,
  cents: bigint,
): Promise<string> {
  const code = randomUUID();
  const created = await app.payments?.createPayout({
    code,
    recipient: { email },
    amountMinor: cents,
    note: `Withdrawal ${withdrawalId}`,
  });
  if (created?.kind !== 'done') throw new Error('the provider made no payout');
  await sandbox.setPayout(code, 'COMPLETED');
  const sent = await app.payments?.commitPayout(created.value.id);
  if (sent?.kind !== 'done') throw new Error('the provider sent no payout');
  return created.value.id;
}

/** Creates a run and executes it to its end. */
export async function reconciled(
  { app, engine }: EscrowWorld,
  { call }: Market,
  input: RunInput = {},
) {
  const { id } = await createReconciliationRun(app, call, input);
  await engine.runWorker();
  const run = await getReconciliationRun(app, call, id);
  if (run.figures === null) throw new Error(`the run is ${run.status}`);
  return { ...run, figures: run.figures };
}

/** Cause and amount of the exceptions that a run saw, sorted. */
export async function seenBy({ app }: EscrowWorld, { call }: Market, runId: RunId) {
  const { items } = await listExceptions(app, call, { runId, status: 'OPEN', limit: '100' });
  return items.toSorted((one, other) => (one.cause < other.cause ? -1 : 1));
}

export async function readingOf({ custody }: EscrowWorld) {
  const reading = await takeReading(custody);
  if (reading === undefined) throw new Error('no reading was taken');
  const usdc = reading.groups.find(({ asset }) => asset === 'USDC');
  const xlm = reading.groups.find(({ asset }) => asset === 'XLM');
  if (usdc === undefined || xlm === undefined) throw new Error('there are two groups');
  return { ...reading, usdc, xlm };
}
