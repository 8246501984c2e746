//! Every error of the payment provider: code, HTTP status, sentence.
//!
//! The vendor publishes the codes and not their statuses, so the statuses are the sandbox's own
//! choice. A client branches on `code`, never on the status.

// biome-ignore format: a table is the one thing exempt from the line limit.
export const REFUSALS = {
  '415901': { status: 400, message: 'The request body is not readable JSON.' },
  '415906': { status: 400, message: 'The request is malformed.' },
  '415904': { status: 401, message: 'Unauthorized.' },
  '415005': { status: 404, message: 'Payout not found.' },
  '415031': { status: 404, message: 'Payin not found.' },
  '415059': { status: 404, message: 'Recipient not found.' },
  '415902': { status: 404, message: 'Not found.' },
  '415027': { status: 409, message: 'The payout has already been processed.' },
  '415029': { status: 409, message: 'A payin with this code already exists.' },
  '415030': { status: 409, message: 'The payin has already been processed.' },
  '415032': { status: 409, message: 'The payin has already been canceled.' },
  '415055': { status: 409, message: 'The payout cannot be canceled in its present status.' },
  '415056': { status: 409, message: 'A payout with this code already exists.' },
  '415016': { status: 422, message: 'The enterprise balance is too low.' },
  '415057': { status: 422, message: 'The amount is below the minimum of 0.01.' },
  '415058': { status: 422, message: 'The amount is above the maximum.' },
  '415060': { status: 422, message: 'The recipient cannot receive payments.' },
  '415903': { status: 422, message: 'The request cannot be processed.' },
  '415999': { status: 429, message: 'Too many requests.' },
} as const;

export type RefusalCode = keyof typeof REFUSALS;

export class PaymentRefusal extends Error {
  override readonly name = 'PaymentRefusal';
  readonly code: RefusalCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: RefusalCode, details?: Readonly<Record<string, unknown>>) {
    super(REFUSALS[code].message);
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return REFUSALS[this.code].status;
  }

  view(): object {
    const { code, message, details } = this;
    return details === undefined ? { code, message } : { code, message, data: details };
  }
}

/** The values of a payout's `reasonCode`, with their sentences. */
export const REASONS = {
  awaitsAccount: { code: '415912', description: 'The recipient has to open an account first.' },
  awaitsVerification: { code: '415912', description: 'The recipient has to be verified first.' },
  notDelivered: { code: '415073', description: 'The payment could not be delivered.' },
  reversed: { code: '415036', description: 'The payer’s bank has taken the payment back.' },
  returned: { code: '415073', description: 'The recipient’s bank has returned the payment.' },
  declined: { code: '415034', description: 'The payer has not enough balance.' },
  expired: { code: '415032', description: 'The payment was not confirmed in time.' },
} as const;

export type Reason = (typeof REASONS)[keyof typeof REASONS];
