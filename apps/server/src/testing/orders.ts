//! Orders brought to a state, and the events and audit entries of a request.
import { randomUUID } from 'node:crypto';
import type { EventName } from '@holdfast/contract/events';
import type { OrderState } from '@holdfast/contract/machines/order-machine';
import { systemClock } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import { type DisputeId, newId, type OrderId, type UserId } from '@holdfast/kernel/ids';
import { creditBalance } from '../accounts/books/credit-balance.ts';
import { fundOrderEscrow } from '../accounts/books/order-money.ts';
import { openDispute } from '../orders/disputes/open-dispute.ts';
import { insertEscrow, moveEscrow } from '../orders/model/escrow.ts';
import { lockOrder, moveOrder, type Order } from '../orders/model/order.ts';
import { cancelOrder } from '../orders/order/cancel-order.ts';
import { createOrder } from '../orders/order/create-order.ts';
import type { OrderInput } from '../orders/order/order-input.ts';
import { reserveOrder } from '../orders/order/reserve-order.ts';
import type { Call, KeyActor } from '../platform/call.ts';
import { type Tx, transact } from '../platform/database/transact.ts';
import type { Market, World } from './world.ts';

export interface OrderInState {
  readonly id: OrderId;
  readonly buyerId: UserId;
  readonly sellerId: UserId;
  readonly disputeId: DisputeId | null;
}

export interface OrderOptions extends Partial<OrderInput> {
  /** The buyer's funds before; the amount when absent. */
  readonly funds?: string;
}

type WalkedState =
  | 'ORDER_CREATED'
  | 'FUNDS_RESERVED'
  | 'ESCROW_CREATING'
  | 'ESCROW_FUNDING'
  | 'IN_PROGRESS'
  | 'DISPUTED'
  | 'CLOSED';

/** A buyer with money, a seller, and an order between them brought to this state. */
export async function orderIn(
  world: World,
  market: Market,
  state: WalkedState,
  options: OrderOptions = {},
): Promise<OrderInState> {
  const { amount = '100.00', funds = amount, currency = 'USD', ...input } = options;
  const buyerId = input.buyerId ?? (await buyerWith(world, market, funds, currency));
  const sellerId = input.sellerId ?? (await market.user());
  const parties = { buyerId, sellerId };
  const body = { title: 'A table', ...input, ...parties, amount, currency };
  const { order } = await createOrder(world.app, market.call, body);
  const { id } = order;
  const disputeId = await walk(world, market, id, state);
  return { id, ...parties, disputeId };
}

export async function buyerWith(
  world: World,
  market: Market,
  funds: string,
  currency: Currency = 'USD',
): Promise<UserId> {
  const buyerId = await market.user();
  await creditBalance(world.app, market.call, buyerId, { amount: funds, currency });
  return buyerId;
}

async function walk(
  { app }: World,
  { call }: Market,
  id: OrderId,
  goal: WalkedState,
): Promise<DisputeId | null> {
  if (goal === 'ORDER_CREATED') return null;
  if (goal === 'CLOSED') {
    await cancelOrder(app, call, id);
    return null;
  }
  await reserveOrder(app, call, id);
  const path: readonly WalkedState[] = ['ESCROW_CREATING', 'ESCROW_FUNDING', 'IN_PROGRESS'];
  const last = goal === 'DISPUTED' ? 'IN_PROGRESS' : goal;
  for (const state of path.slice(0, path.indexOf(last) + 1))
    await transact(app, call, async (tx) => PROVIDER_STEPS[state]?.(tx, await lockOrder(tx, id)));
  if (goal !== 'DISPUTED') return null;
  const complaint = { openedBy: 'BUYER', reason: 'NOT_DELIVERED' } as const;
  return (await openDispute(app, call, id, complaint)).id;
}

/** The transitions and the money of the sagas, without providers, events and audit. */
const PROVIDER_STEPS: Partial<Record<OrderState, (tx: Tx, order: Order) => Promise<unknown>>> = {
  ESCROW_CREATING: async (tx, order) => {
    const escrowId = newId('esc', systemClock.now());
    await insertEscrow(tx, {
      id: escrowId,
      orderId: order.id,
      contractType: order.milestones.length > 1 ? 'MULTI_RELEASE' : 'SINGLE_RELEASE',
      amount: order.amount,
      feeRate: order.feeRate,
      buyerAddress: `G${order.buyerId}`,
      sellerAddress: `G${order.sellerId}`,
      platformAddress: 'GPLATFORM',
      resolverAddress: 'GRESOLVER',
    });
    await moveOrder(tx, order, 'openEscrow', { escrowId });
  },
  ESCROW_FUNDING: async (tx, order) => {
    const deployed = { deployHash: randomUUID(), providerContractId: `C${order.id}` };
    await moveEscrow(tx, escrowOf(order), 'deployed', deployed);
    await moveOrder(tx, order, 'escrowOpened');
  },
  IN_PROGRESS: async (tx, order) => {
    await moveEscrow(tx, escrowOf(order), 'startFunding');
    await fundOrderEscrow(tx, order);
    await moveEscrow(tx, escrowOf(order), 'funded');
    await moveOrder(tx, order, 'escrowFunded');
  },
};

function escrowOf({ escrow }: Order): NonNullable<Order['escrow']> {
  if (escrow === null) throw new Error('the order has an escrow by now');
  return escrow;
}

/** A call under one request id, so that its events and audit entries can be found. */
export function oneCall({ call }: Market): Call<KeyActor> {
  return { ...call };
}

export interface EmittedEvent {
  readonly type: EventName;
  readonly payload: Record<string, unknown>;
}

/** The events of a request, in their order. */
export async function eventsOf(world: World, { requestId }: Call): Promise<EmittedEvent[]> {
  await world.sequence();
  return world.rows<EmittedEvent & Record<string, unknown>>(
    `select event_type as type, payload from event where correlation_id = $1 order by position`,
    [requestId],
  );
}

export interface Audited {
  readonly action: string;
  readonly resource: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly reason: string | null;
  readonly result: string;
}

export async function auditedBy(world: World, { requestId }: Call): Promise<Audited[]> {
  return world.rows<Audited & Record<string, unknown>>(
    `select action, resource_id as resource, before, after, reason, result from audit
     where correlation_id = $1 order by id`,
    [requestId],
  );
}

/** Everything that can change, to be compared before and after a refusal. */
export async function snapshotDatabase(world: World): Promise<unknown> {
  const tables = ['orders', 'milestone', 'escrow', 'dispute', 'account', 'reservation'];
  const counted = ['entry', 'audit', 'event', 'outbox', 'house_delta'];
  const rows: unknown[] = [];
  for (const table of tables)
    rows.push(await world.rows(`select * from ${table} order by marketplace_id, id`));
  for (const table of counted) rows.push(await world.rows(`select count(*) from ${table}`));
  return rows;
}
