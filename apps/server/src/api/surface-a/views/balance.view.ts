//! Response view of a balance.

import type {
  BalanceSyncResultView,
  BalanceVerificationView,
  BalanceView,
} from '@holdfast/contract/records';
import type { DebtView } from '@holdfast/contract/records/payment-records';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import type { UserId } from '@holdfast/kernel/ids';
import { minorText } from '@holdfast/kernel/money';
import { metaOf } from '../../http/respond.ts';
import { networkText } from './wallet.view.ts';

interface Balance {
  readonly userId: UserId;
  readonly currency: Currency;
  readonly available: bigint;
  readonly reserved: bigint;
  readonly at: Instant;
}

export function balanceView(balance: Balance): BalanceView {
  return {
    userId: balance.userId,
    available: minorText(balance.available),
    reserved: minorText(balance.reserved),
    total: minorText(balance.available + balance.reserved),
    currency: balance.currency,
    updatedAt: instantText(balance.at),
  };
}

/** The envelope has the entry's own request and time, so that a replay is equal to the byte. */
export function postedBalanceResponse(posted: Balance & { requestId: string; isReplay: boolean }) {
  return {
    data: balanceView(posted),
    meta: metaOf(posted.requestId, posted.at),
    isReplay: posted.isReplay,
  };
}

export function balanceVerificationView(verification: {
  readonly isValid: boolean;
  readonly books: Balance;
  readonly onAddress: {
    readonly address: string;
    readonly currency: 'USDC' | 'XLM';
    readonly actual: bigint;
    readonly dust: bigint;
  };
  readonly difference: bigint;
  readonly inFlight: bigint;
}): BalanceVerificationView {
  const { isValid, books, onAddress, difference, inFlight } = verification;
  const { address, currency, actual, dust } = onAddress;
  return {
    isValid,
    offChainBalance: balanceView(books),
    onChainBalance: { address, balance: networkText(actual), asset: currency },
    difference: networkText(difference),
    inFlight: networkText(inFlight),
    dust: networkText(dust),
  };
}

export function balanceSyncView(sync: {
  readonly isSynced: boolean;
  readonly before: Balance;
  readonly after: Balance;
  readonly hasDifference: boolean;
  readonly adjustment: bigint | null;
}): BalanceSyncResultView {
  return {
    synced: sync.isSynced,
    previousBalance: balanceView(sync.before),
    currentBalance: balanceView(sync.after),
    discrepancyDetected: sync.hasDifference,
    adjustment: sync.adjustment === null ? null : minorText(sync.adjustment),
  };
}

interface Debt {
  readonly userId: UserId;
  readonly currency: Currency;
  readonly owed: bigint;
}

export function debtView({ userId, currency, owed }: Debt): DebtView {
  return { userId, currency, owed: minorText(owed) };
}
