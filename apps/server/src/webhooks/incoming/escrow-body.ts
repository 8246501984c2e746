//! Parses the body of an escrow provider's webhook. Unknown fields are ignored.
import { refuseField } from '@holdfast/contract/validation';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  ESCROW_NOTIFICATION_TYPES,
  type EscrowNotification,
} from '../../orders/notifications/apply-escrow-event.ts';

const TEXT_MAX = 300;
/** PostgreSQL cannot hold the character NUL. */
const text = { maxLength: TEXT_MAX, pattern: '^[^\\u0000]*$' };
const word = () => Type.String({ ...text, minLength: 1 });
/** Some senders leave a field empty that they have no value for. */
const maybe = () => Type.Optional(Type.Union([Type.String(text), Type.Null()]));

const head = Compile(Type.Object({ type: word(), event_id: word() }));
const whole = Compile(
  Type.Object({
    type: Type.Enum([...ESCROW_NOTIFICATION_TYPES]),
    data: Type.Object({
      contract_id: maybe(),
      order_id: maybe(),
      transaction_hash: maybe(),
      milestone_ref: maybe(),
      amount: maybe(),
      currency: maybe(),
      buyer_address: maybe(),
      seller_address: maybe(),
    }),
  }),
);

export interface EscrowBody {
  readonly eventId: string;
  readonly type: string;
  /** Undefined when the content cannot be parsed. */
  readonly notification: EscrowNotification | undefined;
}

/** Refuses a body without an event id: it could not be stored. */
export function readEscrowBody(body: string): EscrowBody {
  const json = readJson(body);
  if (!head.Check(json)) {
    const expected = 'body must be JSON with type, event_id and data';
    return refuseField('body', 'malformed', expected);
  }
  const { type, event_id: eventId } = json;
  return {
    type,
    eventId,
    notification: whole.Check(json) ? notificationOf(json.type, json.data) : undefined,
  };
}

type WebhookData = Readonly<Record<string, string | null | undefined>>;

function notificationOf(type: EscrowNotification['type'], data: WebhookData): EscrowNotification {
  return {
    type,
    contractId: data['contract_id'] || null,
    orderId: data['order_id'] || null,
    transactionHash: data['transaction_hash'] || null,
    milestoneRef: data['milestone_ref'] || null,
    amount: data['amount'] || null,
    currency: data['currency'] || null,
    buyerAddress: data['buyer_address'] || null,
    sellerAddress: data['seller_address'] || null,
  };
}

function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
