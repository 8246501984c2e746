//! Parses the body of a payment provider's webhook, in our specification's form or in the
//! provider's. Unknown fields are ignored; a body that cannot be parsed completely is not used at
//! all.
import { readInstant } from '@holdfast/kernel/clock';
import { readExact } from '../../providers/exact-number.ts';
import type {
  PayinNotificationType,
  PaymentNotification,
  PayoutNotificationType,
} from '../../providers/payments/payment-notification.ts';
import {
  hasEnded,
  type PayinStatus,
  type PayoutStatus,
} from '../../providers/payments/payment-provider.ts';
import { CENT_PLACES } from '../../providers/payments/payment-record.ts';
import { payinStatusOf, payoutStatusOf } from '../../providers/payments/payment-replies.ts';

export interface PaymentBody {
  readonly eventId: string;
  readonly type: string;
  /** Undefined when the content cannot be parsed. */
  readonly notification: PaymentNotification | undefined;
}

type Fields = Readonly<Record<string, unknown>>;
type NotificationType = PayinNotificationType | PayoutNotificationType;

const PAYIN_TYPES: Readonly<Record<PayinNotificationType, PayinStatus>> = {
  'payin.created': 'created',
  'payin.awaiting_user_confirmation': 'created',
  'payin.processing': 'processing',
  'payin.succeeded': 'confirmed',
  'payin.failed': 'failed',
  'payin.canceled': 'canceled',
};

const PAYOUT_TYPES: Readonly<Record<PayoutNotificationType, PayoutStatus>> = {
  'payout.created': 'created',
  'payout.committed': 'committed',
  'payout.pending': 'pending',
  'payout.pending_user_action': 'pending_user_action',
  'payout.completed': 'completed',
  'payout.failed': 'failed',
  'payout.canceled': 'canceled',
};

const TEXT_MAX = 300;
const REASON_MAX = 1000;
const UNREADABLE = 'unreadable';

/**
 * `messageId` identifies the message: it is the same at every delivery, and is the event's id when
 * the body has none. Undefined when neither has an id: the message could not be stored.
 */
export function readPaymentBody(
  text: string,
  messageId: string | undefined,
): PaymentBody | undefined {
  const json = fieldsOf(readJson(text));
  const eventId = wordOf(json['eventId']) ?? messageId;
  if (eventId === undefined) return undefined;
  const data = fieldsOf(json['data'] ?? json);
  const claimed = wordOf(json['eventType']) ?? wordOf(json['type']) ?? typeOfRecord(data);
  const type = claimed === 'payin.confirmed' ? 'payin.succeeded' : claimed;
  const notification = readNotification(eventId, type, json, data);
  return { eventId, type: claimed ?? UNREADABLE, notification };
}

function readNotification(
  eventId: string,
  type: string | undefined,
  json: Fields,
  data: Fields,
): PaymentNotification | undefined {
  const amount = data['grossAmount'] ?? data['amount'] ?? null;
  const amountMinor = amount === null ? null : readExact(amount, CENT_PLACES);
  const [id, code] = [nameOf(data['id']), nameOf(data['code'])];
  const occurredAt = readInstant(String(json['occurredAt'] ?? data['updatedAt'])) ?? null;
  if (type === undefined || amountMinor === undefined || id === undefined || code === undefined)
    return undefined;
  const reasonCode = reasonOf(data['reasonCode']);
  const common = {
    eventId,
    occurredAt,
    id,
    code,
    amountMinor,
    currency: wordOf(data['currency']) ?? null,
    reasonCode,
    reasonDescription: reasonOf(data['reasonDescription'] ?? data['failureReason']),
  };
  const vendorStatus = wordOf(data['status']) ?? '';
  if (isType(PAYIN_TYPES, type)) {
    const status = PAYIN_TYPES[type];
    return contradicts(status, payinStatusOf(vendorStatus))
      ? undefined
      : { ...common, type, status };
  }
  if (!isType(PAYOUT_TYPES, type)) return undefined;
  const status = PAYOUT_TYPES[type];
  const shown = payoutStatusOf(vendorStatus, reasonCode);
  return contradicts(status, shown) ? undefined : { ...common, type, status };
}

function isType<T extends NotificationType>(
  types: Readonly<Record<T, unknown>>,
  type: string,
): type is T {
  return Object.hasOwn(types, type);
}

/**
 * The type and the record may be one step apart, but they cannot have two different final statuses.
 */
function contradicts(
  claimed: PayinStatus | PayoutStatus,
  shown: PayinStatus | PayoutStatus,
): boolean {
  return hasEnded({ status: claimed }) && hasEnded({ status: shown }) && claimed !== shown;
}

/** Some messages are the bare record, which has its own kind and status. */
function typeOfRecord(data: Fields): string | undefined {
  const status = wordOf(data['status']) ?? '';
  const isPayout = data['grossAmount'] !== undefined;
  const shown = isPayout
    ? payoutStatusOf(status, reasonOf(data['reasonCode']))
    : payinStatusOf(status);
  const types: Readonly<Record<string, string>> = isPayout ? PAYOUT_TYPES : PAYIN_TYPES;
  return Object.keys(types).find((type) => types[type] === shown);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A field that is left empty has no value: it is absent. */
function fieldsOf(json: unknown): Fields {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return {};
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== ''));
}

/** PostgreSQL cannot hold the character NUL. */
function wordOf(value: unknown): string | undefined {
  const isWord = typeof value === 'string' && value !== '' && value.length <= TEXT_MAX;
  return isWord && !value.includes('\u0000') ? value : undefined;
}

/** Null when absent; undefined when it is not a valid name. */
function nameOf(value: unknown): string | null | undefined {
  return value === undefined || value === null ? null : wordOf(value);
}

function reasonOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value === '') return null;
  return value.replaceAll('\u0000', '').slice(0, REASON_MAX);
}
