//! Pages of the payment provider's own lists, for comparing them with ours. Newest first.
//!
//! A record may lack our code when it was created by hand, or for another purpose. It is still
//! listed, since it moved the balance.
import { readInstant } from '@holdfast/kernel/clock';
import { readExact } from '../exact-number.ts';
import type { ListedPayin, ListedPayment, ListedPayout, PaymentPage } from './payment-provider.ts';
import { payinStatusOf, payoutStatusOf } from './payment-replies.ts';

type Fields = Readonly<Record<string, unknown>>;

const CENT_PLACES = 2;

/** Undefined when any record cannot be read: a list with a hole would prove nothing. */
export function readPaymentPage<T>(
  json: unknown,
  count: number,
  read: (fields: Fields) => T | undefined,
): PaymentPage<T> | undefined {
  const { items, endCursor } = (json ?? {}) as Fields;
  if (!Array.isArray(items)) return undefined;
  const found = (items as Fields[]).map((fields) => read(fields));
  if (!found.every((each) => each !== undefined)) return undefined;
  const isFull = found.length >= count;
  if (isFull && typeof endCursor !== 'string') return undefined;
  return { items: found, next: isFull ? (endCursor as string) : null };
}

export function readListedPayin(
  fields: Fields,
  reversedStatuses: readonly string[],
): ListedPayin | undefined {
  const common = readCommon(fields, fields['netAmount'] ?? fields['amount'], fields['amount']);
  const note = textOf(fields['description']);
  const status = payinStatusOf(common?.vendorStatus ?? '', reversedStatuses);
  return common && { ...common, note, status };
}

export function readListedPayout(fields: Fields): ListedPayout | undefined {
  const gross = fields['grossAmount'] ?? fields['amount'];
  const common = readCommon(fields, gross, gross);
  const note = textOf(fields['notes']);
  const status = payoutStatusOf(common?.vendorStatus ?? '', textOf(fields['reasonCode']));
  return common && { ...common, note, status };
}

function readCommon(
  fields: Fields,
  amount: unknown,
  gross: unknown,
): Omit<ListedPayment, 'note' | 'status'> | undefined {
  const [id, vendorStatus] = [textOf(fields['id']), textOf(fields['status'])];
  const amountMinor = readExact(amount, CENT_PLACES);
  const grossMinor = readExact(gross, CENT_PLACES);
  const createdAt = readInstant(textOf(fields['createdAt']) ?? '');
  const updatedAt = readInstant(textOf(fields['updatedAt']) ?? '');
  if (id === null || vendorStatus === null || amountMinor === undefined) return undefined;
  if (grossMinor === undefined || createdAt === undefined || updatedAt === undefined)
    return undefined;
  const code = textOf(fields['code']);
  return { id, vendorStatus, amountMinor, grossMinor, createdAt, updatedAt, code };
}

function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}
