//! An observation of a pay-in: from the provider's webhook, or from its own record.
import { readCurrency } from '@holdfast/kernel/currency';
import { Money } from '@holdfast/kernel/money';
import type { PayinNotification } from '../../providers/payments/payment-notification.ts';
import type { Payin, PayinStatus } from '../../providers/payments/payment-provider.ts';
import type { Topup } from './topup.ts';

/** Plain JSON, because a saga stores it. */
export interface PayinObservation {
  /** A record is final; a notification is believed until the record is read. */
  readonly source: 'notification' | 'record';
  readonly status: PayinStatus;
  readonly payinId: string | null;
  /** Where the payer is sent; absent from notifications. */
  readonly checkoutUrl: string | null;
  /** Null where the provider does not send it. */
  readonly code: string | null;
  readonly amountMinor: string | null;
  /** What the provider keeps of the amount; null in notifications, which do not say it. */
  readonly feeMinor: string | null;
  readonly currency: string | null;
  readonly errorCode: string | null;
  readonly reason: string | null;
}

export function observationOfRecord(payin: Payin): PayinObservation {
  return {
    source: 'record',
    status: payin.status,
    payinId: payin.id,
    checkoutUrl: payin.checkoutUrl,
    code: payin.code,
    amountMinor: String(payin.amountMinor),
    feeMinor: String(feeOf(payin)),
    currency: null,
    errorCode: null,
    reason: payin.failureReason,
  };
}

/** More than the payment arrives never as its fee: reconciliation shows such a difference. */
function feeOf({ amountMinor, netMinor }: Payin): bigint {
  const fee = amountMinor - (netMinor ?? amountMinor);
  return fee > 0n ? fee : 0n;
}

export function observationOfNotification(
  topup: Pick<Topup, 'id'>,
  notification: PayinNotification,
): PayinObservation {
  const { id, amountMinor } = notification;
  return {
    source: 'notification',
    status: notification.status,
    // Some notifications name the pay-in by our id.
    payinId: id === topup.id ? null : id,
    checkoutUrl: null,
    code: notification.code,
    amountMinor: amountMinor === null ? null : String(amountMinor),
    feeMinor: null,
    currency: notification.currency,
    errorCode: notification.reasonCode,
    reason: notification.reasonDescription,
  };
}

/** The provider carries dollars only, so its own records name no currency. */
const DOLLARS: ReadonlySet<string> = new Set(['USD', 'USDC']);

/**
 * The amount that the provider reports as received, in a currency that we have books for. Undefined
 * where it reports none, or names another currency.
 */
export function moneyOf(
  topup: Topup,
  { amountMinor, currency }: PayinObservation,
): Money | undefined {
  const isDollars = currency === null || DOLLARS.has(currency);
  const observed = isDollars ? topup.currency : readCurrency(currency);
  if (amountMinor === null || observed === undefined) return undefined;
  return Money.ofMinor(BigInt(amountMinor), observed);
}

/** True when code, amount and currency equal those of the top-up. */
export function fits(topup: Topup, observation: PayinObservation): boolean {
  return (
    observation.code === topup.id && moneyOf(topup, observation)?.equals(topup.amount) === true
  );
}

/** The differences as text for operators. */
export function differenceOf(topup: Topup, observation: PayinObservation): string {
  const { code } = observation;
  if (code !== topup.id) {
    const found = code === null ? 'no code' : `code ${code}`;
    return `The payment has ${found}; expected ${topup.id}.`;
  }
  const money = moneyOf(topup, observation);
  const observed = money === undefined ? 'no amount' : `${money.text} ${money.currency}`;
  return `The payment is for ${observed}; the top-up is for ${topup.amount.text} ${topup.currency}.`;
}
