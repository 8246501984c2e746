//! Reads what the payment provider sent, in our specification's form or in its own. What more it
//! sends is ignored; what cannot be read whole is not read at all.
import { readInstant } from '@holdfast/kernel/clock';
import { readExact } from '../providers/exact-number.ts';
import { payinStatusOf, payoutStatusOf } from '../providers/payment-answers.ts';
import type {
  PayinNoticeType,
  PaymentNotice,
  PayoutNoticeType,
} from '../providers/payment-notice.ts';
import { hasEnded, type PayinStatus, type PayoutStatus } from '../providers/payment-provider.ts';
import { CENT_PLACES } from '../providers/payment-record.ts';

export interface PaymentBody {
  readonly eventId: string;
  readonly type: string;
  /** Undefined where it tells something that we can't read. */
  readonly notice: PaymentNotice | undefined;
}

type Fields = Readonly<Record<string, unknown>>;
type NoticeType = PayinNoticeType | PayoutNoticeType;

const PAYIN_TYPES: Readonly<Record<PayinNoticeType, PayinStatus>> = {
  'payin.created': 'created',
  'payin.awaiting_user_confirmation': 'created',
  'payin.processing': 'processing',
  'payin.succeeded': 'confirmed',
  'payin.failed': 'failed',
  'payin.canceled': 'canceled',
};

const PAYOUT_TYPES: Readonly<Record<PayoutNoticeType, PayoutStatus>> = {
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
 * `messageId` is what the message itself is known by: the same at every try, and the event's id
 * where the body has none. Undefined when neither has one: nothing could be kept of it.
 */
export function readPaymentBody(
  text: string,
  messageId: string | undefined,
): PaymentBody | undefined {
  const json = fieldsOf(readJson(text));
  const eventId = wordOf(json['eventId']) ?? messageId;
  if (eventId === undefined) return undefined;
  const data = fieldsOf(json['data'] ?? json);
  const told = wordOf(json['eventType']) ?? wordOf(json['type']) ?? typeOfRecord(data);
  const type = told === 'payin.confirmed' ? 'payin.succeeded' : told;
  const notice = readNotice(eventId, type, json, data);
  return { eventId, type: told ?? UNREADABLE, notice };
}

function readNotice(
  eventId: string,
  type: string | undefined,
  json: Fields,
  data: Fields,
): PaymentNotice | undefined {
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
    return isAtOdds(status, payinStatusOf(vendorStatus)) ? undefined : { ...common, type, status };
  }
  if (!isType(PAYOUT_TYPES, type)) return undefined;
  const status = PAYOUT_TYPES[type];
  const shown = payoutStatusOf(vendorStatus, reasonCode);
  return isAtOdds(status, shown) ? undefined : { ...common, type, status };
}

function isType<T extends NoticeType>(
  types: Readonly<Record<T, unknown>>,
  type: string,
): type is T {
  return Object.hasOwn(types, type);
}

/** Type and record may be a step apart; they can't have ended in two ways. */
function isAtOdds(told: PayinStatus | PayoutStatus, shown: PayinStatus | PayoutStatus): boolean {
  return hasEnded({ status: told }) && hasEnded({ status: shown }) && told !== shown;
}

/** Some messages are the bare record: it says by itself what it is and how it stands. */
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

function fieldsOf(json: unknown): Fields {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Fields) : {};
}

/** PostgreSQL cannot hold the character NUL. */
function wordOf(value: unknown): string | undefined {
  const isWord = typeof value === 'string' && value !== '' && value.length <= TEXT_MAX;
  return isWord && !value.includes('\u0000') ? value : undefined;
}

/** Null where there is none; undefined where it is no name. */
function nameOf(value: unknown): string | null | undefined {
  return value === undefined || value === null ? null : wordOf(value);
}

function reasonOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value === '') return null;
  return value.replaceAll('\u0000', '').slice(0, REASON_MAX);
}
