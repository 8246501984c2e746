//! The provider's two records: their fields, their transitions, and their JSON.
import { centsNumber } from './cents.ts';

/** Kept as ('payin', id). */
export interface Payin {
  readonly id: string;
  readonly code: string;
  readonly status: PayinStatus;
  readonly amount: bigint;
  /** Kept by the provider once the payin is confirmed; a reversal does not return it. */
  readonly fee: bigint;
  readonly description: string;
  readonly items: readonly PayinItem[];
  readonly confirmationUri: string;
  readonly cancelUri: string;
  readonly reason?: Reasoned;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface PayinItem {
  readonly id: string;
  readonly description: string;
  readonly amount: bigint;
  readonly quantity: bigint;
}

/** Kept as ('payout', id). */
export interface Payout {
  readonly id: string;
  readonly code?: string;
  readonly status: PayoutStatus;
  readonly recipient: Recipient;
  readonly gross: bigint;
  readonly enterpriseFee: bigint;
  readonly notes: string;
  readonly internalNote?: string;
  readonly requireIdVerified: boolean;
  readonly reason?: Reasoned;
  /** The outcome that control has set for a payout in progress. */
  readonly outcome?: PayoutOutcome;
  readonly events: readonly PayoutEvent[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Bank accounts are the sandbox's own addition; the vendor pays to its users only. */
export type Recipient =
  | { readonly email: string; readonly userId: string }
  | { readonly bankRef: string };

export interface PayoutEvent {
  readonly id: string;
  readonly previousStatus: PayoutStatus | null;
  readonly newStatus: PayoutStatus;
  readonly reason?: Reasoned;
  readonly createdAt: string;
}

export interface Reasoned {
  readonly code: string;
  readonly description: string;
}

export type PayoutOutcome = 'COMPLETED' | 'FAILED';

/** Where a payin may go from each status. */
export const PAYIN_MOVES = {
  CREATED: ['PROCESSING', 'CANCELED'],
  PROCESSING: ['CONFIRMED', 'FAILED'],
  CONFIRMED: ['REVERSED'],
  // The payer's bank may lose the case: the money comes again.
  REVERSED: ['CONFIRMED'],
  FAILED: [],
  CANCELED: [],
} as const satisfies Record<string, readonly string[]>;

export type PayinStatus = keyof typeof PAYIN_MOVES;

/** Where a payout may go from each status. */
export const PAYOUT_MOVES = {
  CREATED: ['COMMITTED', 'CANCELED'],
  COMMITTED: ['PENDING', 'PENDING_USER_ACTION'],
  PENDING: ['COMPLETED', 'FAILED', 'CANCELED'],
  PENDING_USER_ACTION: ['COMPLETED', 'FAILED', 'CANCELED'],
  // The recipient's bank may return it.
  COMPLETED: ['FAILED'],
  FAILED: [],
  CANCELED: [],
} as const satisfies Record<string, readonly string[]>;

export type PayoutStatus = keyof typeof PAYOUT_MOVES;

/** A move outside the table is a bug of the sandbox, not a refusal for a client. */
export function assertMove(
  moves: Readonly<Record<string, readonly string[]>>,
  from: string,
  to: string,
): void {
  if (!moves[from]?.includes(to)) throw new Error(`no move from ${from} to ${to}`);
}

export function payinView(payin: Payin): object {
  const { id, code, status, description, reason, createdAt, updatedAt } = payin;
  return {
    id,
    code,
    status,
    amount: centsNumber(payin.amount),
    netAmount: centsNumber(payin.amount - payin.fee),
    airtmFee: centsNumber(payin.fee),
    description,
    items: payin.items.map((item) => ({
      id: item.id,
      payinId: id,
      description: item.description,
      amount: centsNumber(item.amount),
      quantity: Number(item.quantity),
    })),
    ...(reason && { failureReason: reason.description }),
    createdAt,
    updatedAt,
    confirmationUri: payin.confirmationUri,
    cancelUri: payin.cancelUri,
  };
}

export function payoutView(payout: Payout): object {
  const { id, code, recipient, reason, internalNote } = payout;
  const net = centsNumber(payout.gross - payout.enterpriseFee);
  return {
    id,
    ...(code !== undefined && { code }),
    ...recipientView(recipient),
    requireIdVerified: payout.requireIdVerified,
    notes: payout.notes,
    ...(internalNote !== undefined && { internalNote }),
    status: payout.status,
    grossAmount: centsNumber(payout.gross),
    amount: net,
    netAmount: net,
    airtmFee: 0,
    enterpriseFee: centsNumber(payout.enterpriseFee),
    ...(reason && { reasonCode: reason.code, reasonDescription: reason.description }),
    createdAt: payout.createdAt,
    updatedAt: payout.updatedAt,
  };
}

export function payoutEventViews(payout: Payout): object[] {
  return payout.events.map(({ id, previousStatus, newStatus, reason, createdAt }) => ({
    id,
    operationId: payout.id,
    operationType: 'PAYOUT',
    eventType: 'STATUS_CHANGED',
    previousStatus,
    newStatus,
    metadata: reason ? { transitionCode: reason.code, transitionMessage: reason.description } : {},
    createdAt,
  }));
}

function recipientView(recipient: Recipient): object {
  return 'email' in recipient
    ? { airtmUserId: recipient.userId, airtmUserEmail: recipient.email }
    : { bankAccount: { ref: recipient.bankRef } };
}
