//! Tests the rules for accepting a notification. The inbox tests cover applying it.
import { describe, expect, it } from 'vitest';
import { anEscrow, anOrder, usd } from '../../testing/sample-orders.ts';
import type { Escrow } from '../model/escrow.ts';
import type { Order } from '../model/order.ts';
import { ESCROW_NOTIFICATION_TYPES, type EscrowNotification } from './apply-escrow-event.ts';
import { contradictionOf, isReached } from './escrow-notification.ts';

const notificationOf = (
  type: EscrowNotification['type'],
  fields: Partial<EscrowNotification> = {},
): EscrowNotification => ({
  type,
  contractId: 'C1',
  orderId: 'ord_1',
  transactionHash: null,
  milestoneRef: null,
  amount: '1000000000',
  currency: 'USDC',
  buyerAddress: 'GADA',
  sellerAddress: 'GBO',
  ...fields,
});

const STATUSES: Readonly<Record<Escrow['status'], Order['status']>> = {
  CREATING: 'ESCROW_CREATING',
  CREATED: 'ESCROW_FUNDING',
  FUNDING: 'ESCROW_FUNDING',
  FUNDED: 'IN_PROGRESS',
  DISPUTED: 'DISPUTED',
  RELEASED: 'CLOSED',
  REFUNDED: 'CLOSED',
};
const CLOSED = { RELEASED: 'RELEASED', REFUNDED: 'REFUNDED' } as const;

const orderWith = (status: Escrow['status'], more: Partial<Order> = {}): Order => ({
  ...anOrder,
  status: STATUSES[status],
  closeReason: CLOSED[status as 'RELEASED'] ?? null,
  escrow: anEscrow(status),
  ...more,
});

const milestone = (ref: string, status: 'OPEN' | 'COMPLETED') => ({
  id: 'mil_1' as const,
  orderId: 'ord_1' as const,
  ref,
  title: ref,
  amount: usd('100.00'),
  status,
  completedAt: null,
});

describe('recognising a late notification', () => {
  const table: Readonly<Record<string, readonly Escrow['status'][]>> = {
    'escrow.created': ['CREATED', 'FUNDING', 'FUNDED', 'DISPUTED', 'RELEASED', 'REFUNDED'],
    'escrow.funding_started': ['CREATED', 'FUNDING', 'FUNDED', 'DISPUTED', 'RELEASED', 'REFUNDED'],
    'escrow.funded': ['FUNDED', 'DISPUTED', 'RELEASED', 'REFUNDED'],
    'escrow.disputed': ['DISPUTED', 'RELEASED', 'REFUNDED'],
    'escrow.released': ['RELEASED', 'REFUNDED'],
    'escrow.refunded': ['RELEASED', 'REFUNDED'],
    // The contract of an order without milestones has one by default.
    'escrow.milestone_completed': ['FUNDED', 'DISPUTED', 'RELEASED', 'REFUNDED'],
  };

  it.each(ESCROW_NOTIFICATION_TYPES)('knows the escrow states in which %s is late', (type) => {
    const late = (Object.keys(STATUSES) as Escrow['status'][]).filter((status) =>
      isReached(orderWith(status), notificationOf(type)),
    );
    expect(late).toEqual(table[type]);
  });

  it('treats a dispute as our own while an operation settles the contract', () => {
    for (const status of ['RELEASE_REQUESTED', 'REFUND_REQUESTED', 'DISPUTED'] as const)
      expect(isReached(orderWith('FUNDED', { status }), notificationOf('escrow.disputed'))).toBe(
        true,
      );
    expect(isReached(orderWith('FUNDED'), notificationOf('escrow.disputed'))).toBe(false);
  });

  it('checks a milestone by its own name', () => {
    const milestones = [milestone('m1', 'COMPLETED'), milestone('m2', 'OPEN')];
    const order = orderWith('FUNDED', { milestones });
    const notification = (milestoneRef: string) =>
      notificationOf('escrow.milestone_completed', { milestoneRef });
    expect([isReached(order, notification('m1')), isReached(order, notification('m2'))]).toEqual([
      true,
      false,
    ]);
  });
});

describe('finding a contradiction in a notification', () => {
  const order = orderWith('FUNDED', { milestones: [milestone('m1', 'OPEN')] });

  it.each([
    { orderId: 'ord_2' },
    { contractId: 'C2' },
    { transactionHash: 'x' },
    { currency: 'XLM' },
    { currency: 'EUR' },
    { buyerAddress: 'GBO' },
    { sellerAddress: 'GADA' },
    { amount: '999999999' },
    { amount: '1000000001' },
    { amount: '100.00' },
    { amount: '0x3b9aca00' },
  ])('finds one in %j', (fields) => {
    expect(contradictionOf(order, notificationOf('escrow.funded', fields))).toEqual(
      expect.any(String),
    );
  });

  it('finds one for an order without a contract', () => {
    const bare = { ...anOrder, escrow: null };
    expect(contradictionOf(bare, notificationOf('escrow.created'))).toEqual(expect.any(String));
  });

  it('finds one in an unknown milestone', () => {
    const notification = notificationOf('escrow.milestone_completed', { milestoneRef: 'm9' });
    expect(contradictionOf(order, notification)).toEqual(expect.any(String));
  });

  it('finds one when less was paid than agreed, but not when more: any payer can add', () => {
    const paid = (amount: string) =>
      contradictionOf(order, notificationOf('escrow.released', { amount }));
    expect(paid('999999999')).toEqual(expect.any(String));
    expect([paid('1000000000'), paid('1000000001')]).toEqual([undefined, undefined]);
  });

  it('finds none in fields that are missing', () => {
    const silent = Object.fromEntries(
      Object.keys(notificationOf('escrow.funded')).map((name) => [name, null]),
    );
    const bare = { ...silent, type: 'escrow.funded' } as unknown as EscrowNotification;
    expect(contradictionOf(order, bare)).toBeUndefined();
  });

  it('finds none in another contract during deployment: only the signed envelope decides', () => {
    const deploying = orderWith('CREATING');
    const escrow = { ...anEscrow('CREATING'), providerContractId: null };
    const notification = notificationOf('escrow.created', { contractId: 'C2' });
    expect(contradictionOf({ ...deploying, escrow }, notification)).toBeUndefined();
  });
});
