//! Reads the payment provider's records. A record that cannot be read in full is refused.
import { readInstant } from '@holdfast/kernel/clock';
import { readExact } from '../exact-number.ts';
import type {
  Payin,
  PaymentAccount,
  PaymentBalance,
  Payout,
  PayoutRecipient,
} from './payment-provider.ts';
import { payinStatusOf, payoutStatusOf } from './payment-replies.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The provider's amounts have two places. */
export const CENT_PLACES = 2;

export interface PayinReading {
  readonly checkoutUrlOf: (id: string) => string;
  readonly reversedStatuses: readonly string[];
}

export function readPayin(
  json: unknown,
  { checkoutUrlOf, reversedStatuses }: PayinReading,
): Payin | undefined {
  const fields = fieldsOf(json);
  const [id, code, vendorStatus] = [fields['id'], fields['code'], fields['status']];
  const amountMinor = readExact(fields['amount'], CENT_PLACES);
  if (!isText(id) || !isText(code) || !isText(vendorStatus)) return undefined;
  if (amountMinor === undefined) return undefined;
  return {
    id,
    code,
    vendorStatus,
    amountMinor,
    status: payinStatusOf(vendorStatus, reversedStatuses),
    netMinor: readExact(fields['netAmount'], CENT_PLACES) ?? null,
    checkoutUrl: checkoutUrlOf(id),
    failureReason: textOrNull(fields['failureReason']),
    updatedAt: instantOf(fields['updatedAt']),
  };
}

export function readPayout(json: unknown): Payout | undefined {
  const fields = fieldsOf(json);
  const [id, code, vendorStatus] = [fields['id'], fields['code'], fields['status']];
  // `amount` is the rest after an enterprise fee; we never request one.
  const amountMinor = readExact(fields['grossAmount'] ?? fields['amount'], CENT_PLACES);
  const recipient = readRecipient(fields);
  if (!isText(id) || !isText(code) || !isText(vendorStatus)) return undefined;
  if (amountMinor === undefined || recipient === undefined) return undefined;
  const reasonCode = textOrNull(fields['reasonCode']);
  return {
    id,
    code,
    vendorStatus,
    amountMinor,
    recipient,
    reasonCode,
    status: payoutStatusOf(vendorStatus, reasonCode),
    reason: textOrNull(fields['reasonDescription']),
    updatedAt: instantOf(fields['updatedAt']),
  };
}

function readRecipient(fields: Fields): PayoutRecipient | undefined {
  const email = fields['airtmUserEmail'];
  if (isText(email)) return { email };
  const bankRef = fieldsOf(fields['bankAccount'])['ref'];
  return isText(bankRef) ? { bankRef } : undefined;
}

export function readPaymentAccount(json: unknown, email: string): PaymentAccount | undefined {
  const { id, status, isVerified } = fieldsOf(json);
  if (!isText(id) || !isText(status)) return undefined;
  return {
    id,
    email,
    isActive: status.toLowerCase() === 'active',
    isVerified: isVerified === true,
  };
}

export function readPaymentBalance(json: unknown): PaymentBalance | undefined {
  const { available, pending } = fieldsOf(json);
  const availableMinor = readExact(available, CENT_PLACES);
  const pendingMinor = readExact(pending, CENT_PLACES);
  if (availableMinor === undefined || pendingMinor === undefined) return undefined;
  return { availableMinor, pendingMinor };
}

/** Mail addresses match in any case; everything else is compared as it is. */
export function isSameRecipient(one: PayoutRecipient, other: PayoutRecipient): boolean {
  if ('email' in one) {
    return 'email' in other && one.email.toLowerCase() === other.email.toLowerCase();
  }
  return 'bankRef' in other && one.bankRef === other.bankRef;
}

function fieldsOf(json: unknown): Fields {
  return typeof json === 'object' && json !== null ? (json as Fields) : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function textOrNull(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return isText(value) ? value : null;
}

function instantOf(value: unknown): number | null {
  return isText(value) ? (readInstant(value) ?? null) : null;
}
