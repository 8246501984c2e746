//! Orders that go through the sandbox: brought to a state by the real operations, executed in
//! place.
import { randomUUID } from 'node:crypto';
import { Refusal } from '@holdfast/contract/errors';
import type { DisputeId, OrderId, UserId } from '@holdfast/kernel/ids';
import { minorText } from '@holdfast/kernel/money';
import pg from 'pg';
import { afterAll, beforeEach, expect } from 'vitest';
import { audit } from '../../../../tests/auditor/audit.ts';
import { creditBalance } from '../accounts/books/credit-balance.ts';
import { getBalance } from '../accounts/books/get-balance.ts';
import { linkPaymentAccount } from '../accounts/users/link-payment-account.ts';
import { sagas } from '../app/sagas.ts';
import { assignDispute } from '../orders/disputes/assign-dispute.ts';
import { openDispute } from '../orders/disputes/open-dispute.ts';
import { createEscrow } from '../orders/escrow/create-escrow.ts';
import { fundEscrow } from '../orders/escrow/fund-escrow.ts';
import { completeMilestone } from '../orders/order/complete-milestone.ts';
import { createOrder } from '../orders/order/create-order.ts';
import { getOrder } from '../orders/order/read-orders.ts';
import { reserveOrder } from '../orders/order/reserve-order.ts';
import { type DirectEngine, executeInProcess } from './engine.ts';
import { runMirror } from './mirror.ts';
import type { OrderOptions } from './orders.ts';
import type { JournalEntry, Sandbox } from './sandbox.ts';
import { addressOf, openSandboxWorld, type SandboxWorld } from './sandbox-world.ts';
import { useMarketIn, type WorldWithMarket } from './use-world.ts';
import type { Market, World } from './world.ts';

export interface EscrowWorld extends SandboxWorld {
  readonly engine: DirectEngine;
  /**
   * Brings addresses to their books; returns how many are not done yet, of one market or of all.
   */
  mirror(market?: Market): Promise<number>;
}

export async function openEscrowWorld(env: Record<string, string> = {}): Promise<EscrowWorld> {
  const world = await openSandboxWorld(env);
  const engine = executeInProcess(world, world.custody, sagas);
  // A saga may have another one executed.
  Object.assign(world.custody, { engine });
  return { ...world, engine, mirror: (market) => runMirror(world, world.custody, market) };
}

/** Faults that a test arms do not reach the next one. */
export function useEscrowWorld(env: Record<string, string> = {}): WorldWithMarket<EscrowWorld> {
  const opened = useMarketIn(() => openEscrowWorld(env));
  useNoFaults(opened.world);
  return opened;
}

export function useNoFaults(world: { readonly sandbox: Sandbox }): void {
  beforeEach(() => world.sandbox.clearFaults());
}

/** After the last test the auditor finds nothing in the books. */
export function useAuditedBooks(world: World): void {
  afterAll(async () => expect(await auditBooks(world)).toEqual([]));
}

const STATES = [
  'ORDER_CREATED',
  'FUNDS_RESERVED',
  'ESCROW_FUNDING',
  'IN_PROGRESS',
  'DISPUTED',
  'UNDER_REVIEW',
] as const;

export interface EscrowedOrder {
  readonly id: OrderId;
  readonly buyerId: UserId;
  readonly sellerId: UserId;
  readonly disputeId: DisputeId;
}

/** A buyer with money, a seller, both with wallets, and an order brought to this state. */
export async function escrowOrderIn(
  world: EscrowWorld,
  market: Market,
  state: (typeof STATES)[number],
  { amount = '100.00', funds = amount, currency = 'USD', ...input }: OrderOptions = {},
): Promise<EscrowedOrder> {
  const { app } = world;
  const { call } = market;
  const buyerId = input.buyerId ?? (await linkedUser(world, market));
  const sellerId = input.sellerId ?? (await linkedUser(world, market));
  if (input.buyerId === undefined)
    await creditBalance(app, call, buyerId, { amount: funds, currency });
  await world.runWorker();
  const body = { title: 'A table', ...input, buyerId, sellerId, amount, currency };
  const { id } = (await createOrder(app, call, body)).order;
  const far = STATES.indexOf(state);
  if (far >= 1) await reserveOrder(app, call, id);
  if (far >= 2) await createEscrow(app, call, id);
  if (far >= 3) await fundEscrow(app, call, id);
  let disputeId = 'dsp_none' as DisputeId;
  if (far >= 4) {
    const complaint = { openedBy: 'BUYER', reason: 'NOT_DELIVERED' } as const;
    disputeId = (await openDispute(app, call, id, complaint)).id;
  }
  if (far >= 5) await assignDispute(app, call, disputeId, { assignedTo: 'agent-1' });
  return { id, buyerId, sellerId, disputeId };
}

export async function linkedUser({ app }: EscrowWorld, market: Market): Promise<UserId> {
  const userId = await market.user();
  const email = `${randomUUID()}@example.test`;
  await linkPaymentAccount(app, market.call, userId, { email });
  return userId;
}

/** This many milestones that sum to 100.00. */
export function milestonesOf(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    ref: `m${index + 1}`,
    title: `Part ${index + 1}`,
    amount: (index === count - 1 ? 100 - 30 * index : 30).toFixed(2),
  }));
}

export async function completeAll({ app }: EscrowWorld, { call }: Market, { id }: EscrowedOrder) {
  const { milestones } = await getOrder(app, call, id);
  for (const { ref } of milestones) await completeMilestone(app, call, id, ref);
}

/** Available and reserved, as text. */
export async function balanceOf({ app }: EscrowWorld, { call }: Market, userId: UserId) {
  const { available, reserved } = await getBalance(app, call, userId);
  return `${minorText(available)} ${minorText(reserved)}`;
}

export async function statesOf({ app }: EscrowWorld, { call }: Market, { id }: EscrowedOrder) {
  const { status, closeReason, escrow, dispute } = await getOrder(app, call, id);
  const seen = { status, closeReason, escrow: escrow?.status ?? null };
  return dispute === null ? seen : { ...seen, dispute: dispute.status };
}

/** Expects a refusal with this code and these details. */
export async function refusalOf(
  work: Promise<unknown>,
): Promise<{ code: string; details: Record<string, unknown> }> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Refusal)
      return { code: error.code, details: error.details as Record<string, unknown> };
    throw error;
  }
  throw new Error('it was not refused');
}

/** The sandbox's effects on an order's contracts, in order. */
export async function effectsOf(
  { sandbox }: EscrowWorld,
  { id }: EscrowedOrder,
): Promise<string[]> {
  const journal = await sandbox.journal();
  const contracts = new Set(
    journal.filter(({ orderId }) => orderId === id).map(({ contractId }) => contractId),
  );
  const isOurs = ({ contractId, effect }: JournalEntry) =>
    contracts.has(contractId) && effect.startsWith('escrow.');
  return journal.filter(isOurs).map(({ effect }) => effect.replace('escrow.', ''));
}

/** The balance of the user's address on the network. */
export async function stroopsAt(
  world: SandboxWorld,
  userId: UserId,
  asset: 'USDC' | 'XLM' = 'USDC',
): Promise<bigint> {
  const found = await world.custody.network.account(await addressOf(world, userId));
  if (found.kind !== 'done') throw new Error(found.reason);
  return found.value?.assets.find(({ code }) => code === asset)?.stroops ?? 0n;
}

/** Breaches that the auditor finds in the books, their events and their audit entries. */
export async function auditBooks(world: World): Promise<unknown[]> {
  await world.sequence();
  const client = new pg.Client(world.databaseUrl);
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    return (await audit(client)).filter(({ broken }) => broken > 0);
  } finally {
    await client.end();
  }
}
