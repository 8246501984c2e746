//! An order as a client sees it: the fields it reads from the responses.

export interface SeenDispute {
  readonly id: string;
  readonly orderId: string;
  readonly status: string;
  readonly resolutionDecision: string | null;
  readonly releaseAmount: string | null;
  readonly refundAmount: string | null;
}

export interface SeenOrder {
  readonly id: string;
  readonly status: string;
  readonly amount: string;
  readonly fee: string;
  readonly feeRate: string;
  readonly buyerId: string;
  readonly sellerId: string;
  readonly closeReason: string | null;
  readonly escrow: {
    readonly id: string;
    readonly status: string;
    readonly providerContractId: string | null;
  } | null;
  readonly dispute: SeenDispute | null;
  readonly milestones: readonly { readonly ref: string; readonly status: string }[];
}

/** In flight: a client that reads one of these waits. */
const IN_FLIGHT: readonly string[] = [
  'ESCROW_CREATING',
  'RELEASE_REQUESTED',
  'RELEASED',
  'REFUND_REQUESTED',
  'REFUNDED',
];

export function isInFlight({ status, escrow }: SeenOrder): boolean {
  return IN_FLIGHT.includes(status) || escrow?.status === 'FUNDING';
}

export function isSettled({ status, closeReason }: SeenOrder): boolean {
  return status === 'CLOSED' && closeReason !== 'CANCELED';
}

/** Money on the wire, in cents. */
export function centsOf(text: string): bigint {
  const parts = /^(\d+)\.(\d{2})$/.exec(text);
  if (parts === null) throw new Error(`${text} is not an amount with two decimals`);
  return BigInt(`${parts[1]}${parts[2]}`);
}

export function amountText(cents: bigint): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
