//! The rules by which a notice is judged. That it is applied is tested with the inbox.
import { describe, expect, it } from 'vitest';
import { anEscrow, anOrder, usd } from '../testing/sample-orders.ts';
import { ESCROW_NOTICES, type EscrowNotice } from './apply-escrow-event.ts';
import type { Escrow } from './escrow.ts';
import { contradictionOf, isReached } from './escrow-notice.ts';
import type { Order } from './order.ts';

const notice = (type: EscrowNotice['type'], fields: Partial<EscrowNotice> = {}): EscrowNotice => ({
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

const stone = (ref: string, status: 'OPEN' | 'COMPLETED') => ({
  id: 'mil_1' as const,
  orderId: 'ord_1' as const,
  ref,
  title: ref,
  amount: usd('100.00'),
  status,
  completedAt: null,
});

describe('how far an order must be for a notice to be late', () => {
  const table: Readonly<Record<string, readonly Escrow['status'][]>> = {
    'escrow.created': ['CREATED', 'FUNDING', 'FUNDED', 'DISPUTED', 'RELEASED', 'REFUNDED'],
    'escrow.funding_started': ['CREATED', 'FUNDING', 'FUNDED', 'DISPUTED', 'RELEASED', 'REFUNDED'],
    'escrow.funded': ['FUNDED', 'DISPUTED', 'RELEASED', 'REFUNDED'],
    'escrow.disputed': ['DISPUTED', 'RELEASED', 'REFUNDED'],
    'escrow.released': ['RELEASED', 'REFUNDED'],
    'escrow.refunded': ['RELEASED', 'REFUNDED'],
    // The contract of an order without milestones has one that nobody asked for.
    'escrow.milestone_completed': ['FUNDED', 'DISPUTED', 'RELEASED', 'REFUNDED'],
  };

  it.each(ESCROW_NOTICES)('%s', (type) => {
    const late = (Object.keys(STATUSES) as Escrow['status'][]).filter((status) =>
      isReached(orderWith(status), notice(type)),
    );
    expect(late).toEqual(table[type]);
  });

  it('a dispute is our own while an operation settles the contract', () => {
    for (const status of ['RELEASE_REQUESTED', 'REFUND_REQUESTED', 'DISPUTED'] as const)
      expect(isReached(orderWith('FUNDED', { status }), notice('escrow.disputed'))).toBe(true);
    expect(isReached(orderWith('FUNDED'), notice('escrow.disputed'))).toBe(false);
  });

  it('a milestone is looked at by its own name', () => {
    const milestones = [stone('m1', 'COMPLETED'), stone('m2', 'OPEN')];
    const order = orderWith('FUNDED', { milestones });
    const told = (milestoneRef: string) => notice('escrow.milestone_completed', { milestoneRef });
    expect([isReached(order, told('m1')), isReached(order, told('m2'))]).toEqual([true, false]);
  });
});

describe('what a notice may not say', () => {
  const order = orderWith('FUNDED', { milestones: [stone('m1', 'OPEN')] });

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
  ])('%j', (fields) => {
    expect(contradictionOf(order, notice('escrow.funded', fields))).toEqual(expect.any(String));
  });

  it('anything about an order without a contract', () => {
    const bare = { ...anOrder, escrow: null };
    expect(contradictionOf(bare, notice('escrow.created'))).toEqual(expect.any(String));
  });

  it('a milestone that is none', () => {
    const told = notice('escrow.milestone_completed', { milestoneRef: 'm9' });
    expect(contradictionOf(order, told)).toEqual(expect.any(String));
  });

  it('less was paid out than was agreed; more may be, since anybody can send it', () => {
    const paid = (amount: string) => contradictionOf(order, notice('escrow.released', { amount }));
    expect(paid('999999999')).toEqual(expect.any(String));
    expect([paid('1000000000'), paid('1000000001')]).toEqual([undefined, undefined]);
  });

  it('nothing of what it leaves out', () => {
    const silent = Object.fromEntries(
      Object.keys(notice('escrow.funded')).map((name) => [name, null]),
    );
    const bare = { ...silent, type: 'escrow.funded' } as unknown as EscrowNotice;
    expect(contradictionOf(order, bare)).toBeUndefined();
  });

  it('nothing of another contract while ours is being deployed: only what we signed tells', () => {
    const deploying = orderWith('CREATING');
    const escrow = { ...anEscrow('CREATING'), providerContractId: null };
    const told = notice('escrow.created', { contractId: 'C2' });
    expect(contradictionOf({ ...deploying, escrow }, told)).toBeUndefined();
  });
});
