//! The payload of a balance event, built from the journal entry that it reports.
import type { EventName, PayloadOf } from '@holdfast/contract/events';
import { assertNever } from '@holdfast/kernel/assert';
import type { Currency } from '@holdfast/kernel/currency';
import type { UserId } from '@holdfast/kernel/ids';
import { minorText } from '@holdfast/kernel/money';

export type BalanceEvent = Extract<EventName, `balance.${string}`>;

/** What an event needs of its entry: the move, and both balances after it. */
export interface ReportedEntry {
  readonly kind: string;
  readonly amount: bigint;
  readonly currency: Currency;
  readonly fromBucket: 'available' | 'reserved';
  readonly toBucket: 'available' | 'reserved';
  readonly available: bigint;
  readonly reserved: bigint;
  readonly subjectId: string | null;
  readonly reference: string | null;
  readonly note: string | null;
}

type BalancePayload = { [N in BalanceEvent]: PayloadOf<N> }[BalanceEvent];

export function balancePayload(
  type: BalanceEvent,
  userId: UserId,
  entry: ReportedEntry,
): BalancePayload {
  const { amount, currency, available, reserved, subjectId, reference } = entry;
  // A manual credit has at most a reference; a payment from escrow names its order.
  const sourceId = reference ?? subjectId;
  // A debit for a withdrawal names the withdrawal, one into escrow the order.
  const isOfSubject = entry.kind.startsWith('withdrawal_') || entry.kind === 'escrow_fund';
  const destinationId = reference ?? (isOfSubject ? subjectId : null);
  const money = { userId, amount: minorText(amount), currency };
  const availableNow = (before: bigint) => ({
    previousAvailableBalance: minorText(before),
    newAvailableBalance: minorText(available),
  });
  const reservedNow = (before: bigint) => ({
    previousReservedBalance: minorText(before),
    newReservedBalance: minorText(reserved),
  });
  switch (type) {
    case 'balance.credited':
      return {
        ...money,
        source: entry.kind,
        ...(sourceId === null ? {} : { sourceId }),
        ...availableNow(available - amount),
      };
    case 'balance.debited':
      return {
        ...money,
        destination: entry.kind,
        ...(destinationId === null ? {} : { destinationId }),
        // Spending reserved money does not change the available balance.
        ...(entry.fromBucket === 'reserved'
          ? { ...availableNow(available), ...reservedNow(reserved + amount) }
          : availableNow(available + amount)),
      };
    case 'balance.reserved':
      return {
        ...money,
        orderId: subjectId,
        ...reservedNow(reserved - amount),
        ...availableNow(available + amount),
      };
    case 'balance.released':
      return {
        ...money,
        orderId: subjectId,
        reason: entry.note ?? (entry.kind === 'order_hold_return' ? 'order_canceled' : 'released'),
        ...reservedNow(reserved + amount),
        ...availableNow(available - amount),
      };
    default:
      return assertNever(type);
  }
}
