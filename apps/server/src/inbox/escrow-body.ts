//! Reads what an escrow provider sent. What more it sends is ignored.
import { refuse } from '@holdfast/contract/errors';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { ESCROW_NOTICES, type EscrowNotice } from '../orders/apply-escrow-event.ts';

const TEXT_MAX = 300;
/** PostgreSQL cannot hold the character NUL. */
const word = () => Type.String({ minLength: 1, maxLength: TEXT_MAX, pattern: '^[^\\u0000]*$' });
const maybe = () => Type.Optional(Type.Union([word(), Type.Null()]));

const head = Compile(Type.Object({ type: word(), event_id: word() }));
const whole = Compile(
  Type.Object({
    type: Type.Enum([...ESCROW_NOTICES]),
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
  /** Undefined where it tells something that we can't read. */
  readonly notice: EscrowNotice | undefined;
}

/** Refuses what does not even say which event it is: nothing could be kept of it. */
export function readEscrowBody(body: string): EscrowBody {
  const json = readJson(body);
  if (!head.Check(json)) {
    const wants = 'the body must be JSON with type, event_id and data';
    return refuse('VALIDATION_ERROR', { validationErrors: [wants] });
  }
  const { type, event_id: eventId } = json;
  return { type, eventId, notice: whole.Check(json) ? noticeOf(json.type, json.data) : undefined };
}

type Told = Readonly<Record<string, string | null | undefined>>;

function noticeOf(type: EscrowNotice['type'], data: Told): EscrowNotice {
  return {
    type,
    contractId: data['contract_id'] ?? null,
    orderId: data['order_id'] ?? null,
    transactionHash: data['transaction_hash'] ?? null,
    milestoneRef: data['milestone_ref'] ?? null,
    amount: data['amount'] ?? null,
    currency: data['currency'] ?? null,
    buyerAddress: data['buyer_address'] ?? null,
    sellerAddress: data['seller_address'] ?? null,
  };
}

function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
