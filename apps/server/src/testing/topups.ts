//! Top-ups through the sandbox: brought to a state by the real operations, executed in place.
import type { TopupState } from '@holdfast/contract/machines/topup-machine';
import type { TopupId, UserId } from '@holdfast/kernel/ids';
import { minorText } from '@holdfast/kernel/money';
import type { TermsInput } from '../access/marketplaces/set-terms.ts';
import { debitBalance } from '../accounts/books/debit-balance.ts';
import { getBalance } from '../accounts/books/get-balance.ts';
import { cancelTopup, cancelTopupSaga } from '../payments/topups/cancel-topup.ts';
import { createTopup, createTopupSaga } from '../payments/topups/create-topup.ts';
import { getTopup } from '../payments/topups/read-topups.ts';
import { refreshTopup } from '../payments/topups/refresh-topup.ts';
import { refreshTopups } from '../payments/topups/refresh-topups.ts';
import type { Topup } from '../payments/topups/topup.ts';
import type { TopupInput } from '../payments/topups/topup-input.ts';
import { postponeAll, runInbox, setTopupsDue } from './due.ts';
import { type DirectEngine, executeInProcess } from './engine.ts';
import { useAuditedBooks, useNoFaults } from './escrows.ts';
import { PAYMENT_PATH, PAYMENT_SECRET } from './payment-webhooks.ts';
import { openSandbox, type Sandbox } from './sandbox.ts';
import { listen } from './sse.ts';
import { useMarketIn, type WorldWithMarket } from './use-world.ts';
import { type Market, openWorld, type World } from './world.ts';

/** Any world with a payment provider. */
export interface PaidWorld extends World {
  readonly sandbox: Sandbox;
}

export interface TopupWorld extends PaidWorld {
  readonly engine: DirectEngine;
  /** Runs the job as a worker does, as if every poll were due. */
  runPolls(): Promise<number>;
  /** The same for pending entries of the inbox; returns how many are still pending. */
  runInbox(): Promise<number>;
  /** From here on the sandbox sends its webhooks to this world's own server. */
  takeWebhooks(form?: 'normalised' | 'vendor'): Promise<void>;
}

export async function openTopupWorld(env: Record<string, string> = {}): Promise<TopupWorld> {
  const sandbox = await openSandbox();
  const { url } = sandbox;
  const settings = {
    HOLDFAST_PAYMENT_PROVIDER_URL: `${url}/payment-provider/v2`,
    HOLDFAST_PAYMENT_PROVIDER_KEY: 'key',
    HOLDFAST_PAYMENT_PROVIDER_SECRET: 'secret',
    HOLDFAST_CHECKOUT_URL: `${url}/payin/{id}`,
    HOLDFAST_PUBLIC_URL: 'http://localhost:4400',
    HOLDFAST_TOPUPS_PER_USER: 'off',
    PAYMENT_WEBHOOK_SECRET: PAYMENT_SECRET,
    ...env,
  };
  const world = await openWorld({ env: settings });
  const engine = executeInProcess(world, world.worker, [createTopupSaga, cancelTopupSaga]);
  return {
    ...world,
    sandbox,
    engine,
    runPolls: async () => {
      await setTopupsDue(world);
      return refreshTopups(world.worker);
    },
    runInbox: () => runInbox(world, world.worker),
    takeWebhooks: async (form = 'normalised') => {
      const payment = {
        url: `${await listen(world)}${PAYMENT_PATH}`,
        secret: PAYMENT_SECRET,
        form,
      };
      await sandbox.control('POST', '/webhooks', { payment });
    },
    close: async () => {
      await world.close();
      await sandbox.stop();
    },
  };
}

/** Each test starts without faults, and all of them leave books that audit. */
export function useTopupWorld(env: Record<string, string> = {}): WorldWithMarket<TopupWorld> {
  const opened = useMarketIn(() => openTopupWorld(env));
  useAuditedBooks(opened.world);
  useNoFaults(opened.world);
  return opened;
}

export async function requestTopup(
  { app }: World,
  market: Market,
  input: Partial<TopupInput> = {},
): Promise<Topup> {
  const userId = input.userId ?? (await market.user());
  return createTopup(app, market.call, { amount: '50.00', ...input, userId });
}

/** A top-up of 50.00, brought to this state by polls of the provider. */
export async function topupIn(world: PaidWorld, market: Market, state: TopupState): Promise<Topup> {
  const { app, sandbox } = world;
  if (state === 'TOPUP_CREATED') return createdOnly(world, market);
  const { id } = await requestTopup(world, market);
  if (state === 'TOPUP_CANCELED') return cancelTopup(app, market.call, id);
  if (state === 'TOPUP_PROCESSING') await pressPay(world, id, { isSlow: true });
  if (state === 'TOPUP_SUCCEEDED') await sandbox.setPayin(id, 'CONFIRMED');
  if (state === 'TOPUP_FAILED') await sandbox.setPayin(id, 'FAILED');
  return refreshTopup(app, market.call, id);
}

/** The provider never received it, and its next poll is in an hour. */
async function createdOnly(world: PaidWorld, market: Market): Promise<Topup> {
  await world.sandbox.arm('payment', 'payin.create', 'drop-before');
  const userId = await market.user();
  await requestTopup(world, market, { userId }).catch(() => undefined);
  await postponeAll(world);
  const [row] = await world.rows<{ id: TopupId }>('select id from topup where user_id = $1', [
    userId,
  ]);
  return getTopup(world.app, market.call, row?.id ?? 'topup_none');
}

/** The payer's action at the payment page. */
export async function pressPay(
  { sandbox, app }: PaidWorld,
  id: TopupId,
  { isSlow = false }: { readonly isSlow?: boolean } = {},
): Promise<void> {
  if (isSlow) await sandbox.control('POST', '/payment', { payinDelaySeconds: 3600 });
  const found = await app.payments?.findPayin(id);
  if (found?.kind !== 'done' || found.value === null) throw new Error('there is no such pay-in');
  const response = await fetch(`${found.value.checkoutUrl}/confirm`, { method: 'POST' });
  if (!response.ok) throw new Error(`the payment page returned ${response.status}`);
  if (isSlow) await sandbox.control('POST', '/payment', { payinDelaySeconds: 0 });
}

export async function availableOf({ app }: World, { call }: Market, userId: UserId) {
  return minorText((await getBalance(app, call, userId)).available);
}

/** The postings of a top-up in the books: kinds and amounts, in order. */
export async function postingsOf(world: World, id: TopupId): Promise<string[]> {
  const rows = await world.rows<{ kind: string; amount: string; currency: string }>(
    'select kind, amount, currency from entry where subject_id = $1 order by id',
    [id],
  );
  return rows.map(({ kind, amount, currency }) => `${kind} ${amount} ${currency}`);
}

export async function actionsOf(world: World, id: TopupId): Promise<string[]> {
  const rows = await world.rows<{ action: string; resource_type: string }>(
    'select action, resource_type from audit where resource_id = $1 order by id',
    [id],
  );
  return rows.map((row) => {
    if (row.resource_type !== 'TopUp') throw new Error(`it is a ${row.resource_type}`);
    return row.action;
  });
}

export async function eventsOf(world: World, id: TopupId): Promise<string[]> {
  await world.sequence();
  const rows = await world.rows<{ event_type: string }>(
    `select event_type from event where aggregate_id = $1 or payload->>'sourceId' = $1
     order by position`,
    [id],
  );
  return rows.map((row) => row.event_type);
}

/** What the user owes, in dollars. */
export async function debtOf(world: World, userId: UserId): Promise<string> {
  const [row] = await world.rows<{ owed: string }>(
    `select -available as owed from account where kind = 'debt' and owner_id = $1`,
    [userId],
  );
  return minorText(BigInt(row?.owed ?? 0));
}

/** Has a top-up polled, as a comparison with the provider's list does: it announces no reversal. */
export const POLL_TOPUP = `
  insert into topup_poll (marketplace_id, topup_id, since, next_poll_at)
  select marketplace_id, id, now(), now() from topup where id = $1 on conflict do nothing`;

/** The payer's bank takes the payment back, or loses the case; a poll of the record is due. */
export async function reverseAtProvider(
  world: PaidWorld,
  id: TopupId,
  action: 'reverse' | 'reinstate' = 'reverse',
): Promise<void> {
  await world.sandbox.control('POST', `/payins/${id}/${action}`);
  await world.rows(POLL_TOPUP, [id]);
}

/** A user who owes 45.00: a payment of 50.00 was reversed after that was spent. */
export async function owingUser(world: PaidWorld, market: Market): Promise<UserId> {
  const { id, userId } = await topupIn(world, market, 'TOPUP_SUCCEEDED');
  await debitBalance(world.app, market.call, userId, { amount: '45.00' });
  await reverseAtProvider(world, id);
  await refreshTopup(world.app, market.call, id);
  return userId;
}

/** What starts from now on starts under these terms. */
export async function setTerms(
  world: World,
  market: Market,
  {
    payinFee = 'MARKETPLACE',
    suspendOnReversal = true,
    debtLimit = '100000.00',
  }: Partial<TermsInput>,
): Promise<void> {
  const body = { payinFee, suspendOnReversal, debtLimit, reason: 'a test' };
  await world.send('PUT', `/marketplaces/${market.id}/terms`, { key: world.masterKey, body });
}
