//! What was seen of a pay-in: told by the provider's webhook, or found in its own record.
import { readCurrency } from '@holdfast/kernel/currency';
import { Money } from '@holdfast/kernel/money';
import type { PayinNotice } from '../providers/payment-notice.ts';
import type { Payin, PayinStatus } from '../providers/payment-provider.ts';
import type { Topup } from './topup.ts';

/** As JSON can carry it: a saga keeps what it saw. */
export interface Sighting {
  /** What the record says settles the matter; a notice is believed until the record is seen. */
  readonly source: 'notice' | 'record';
  readonly status: PayinStatus;
  readonly payinId: string | null;
  /** Where the payer is sent; a notice does not tell. */
  readonly checkoutUrl: string | null;
  /** Null where it is not told. */
  readonly code: string | null;
  readonly amountMinor: string | null;
  readonly currency: string | null;
  readonly errorCode: string | null;
  readonly reason: string | null;
}

export function sightingOfRecord(payin: Payin): Sighting {
  return {
    source: 'record',
    status: payin.status,
    payinId: payin.id,
    checkoutUrl: payin.checkoutUrl,
    code: payin.code,
    amountMinor: String(payin.amountMinor),
    currency: null,
    errorCode: null,
    reason: payin.failureReason,
  };
}

export function sightingOfNotice(topup: Pick<Topup, 'id'>, notice: PayinNotice): Sighting {
  const { id, amountMinor } = notice;
  return {
    source: 'notice',
    status: notice.status,
    // Some name it by our id.
    payinId: id === topup.id ? null : id,
    checkoutUrl: null,
    code: notice.code,
    amountMinor: amountMinor === null ? null : String(amountMinor),
    currency: notice.currency,
    errorCode: notice.reasonCode,
    reason: notice.reasonDescription,
  };
}

/** What the provider carries; its own records name no currency, since there is no other. */
const DOLLARS: ReadonlySet<string> = new Set(['USD', 'USDC']);

/**
 * The money that it says has come in, in a currency that we have books for. Undefined where it
 * does not say, or names another.
 */
export function moneyOf(topup: Topup, { amountMinor, currency }: Sighting): Money | undefined {
  const isDollars = currency === null || DOLLARS.has(currency);
  const told = isDollars ? topup.currency : readCurrency(currency);
  if (amountMinor === null || told === undefined) return undefined;
  return Money.ofMinor(BigInt(amountMinor), told);
}

/** Code, amount and currency, each as it was asked for. */
export function fits(topup: Topup, sighting: Sighting): boolean {
  return sighting.code === topup.id && moneyOf(topup, sighting)?.equals(topup.amount) === true;
}

/** How it differs, for people. */
export function differenceOf(topup: Topup, sighting: Sighting): string {
  const { code } = sighting;
  if (code !== topup.id) return `it names ${code ?? 'no code'}, not ${topup.id}`;
  const money = moneyOf(topup, sighting);
  const told = money === undefined ? 'no amount' : `${money.text} ${money.currency}`;
  return `it is about ${told}, not ${topup.amount.text} ${topup.currency}`;
}
