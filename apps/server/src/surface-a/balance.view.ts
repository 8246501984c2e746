//! A balance as it goes out.
import type { BalanceView } from '@holdfast/contract/records';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import type { UserId } from '@holdfast/kernel/ids';
import { minorText } from '@holdfast/kernel/money';
import { metaOf } from '../http/respond.ts';

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

/** The envelope names the entry's own request and time, so that a replay is equal to the byte. */
export function postedBalanceAnswer(posted: Balance & { requestId: string; isReplay: boolean }) {
  return {
    data: balanceView(posted),
    meta: metaOf(posted.requestId, posted.at),
    isReplay: posted.isReplay,
  };
}
