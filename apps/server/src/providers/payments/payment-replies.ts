//! Interprets the payment provider's codes and statuses: one table each, by name.

import type { HttpReply, NoReply } from '../provider-http.ts';
import { isReply } from '../provider-http.ts';
import type { PayinStatus, PayoutStatus } from './payment-provider.ts';

/**
 * `no`: definitely not done. `absent`: there is no such record. `taken`: the code exists already.
 * `closed`: it has moved on, so its record decides.
 */
export type Verdict = 'no' | 'absent' | 'taken' | 'closed';

interface Row {
  readonly verdict: Verdict;
  /** Our name for it, which callers branch on. */
  readonly code: string;
}

// biome-ignore format: a table is the one thing exempt from the line limit.
const CODES: Readonly<Record<string, Row>> = {
  '415901': { verdict: 'no', code: 'malformed' },
  '415906': { verdict: 'no', code: 'malformed' },
  '415903': { verdict: 'no', code: 'unprocessable' },
  '415904': { verdict: 'no', code: 'unauthorised' },
  '415905': { verdict: 'no', code: 'not-permitted' },
  '415902': { verdict: 'absent', code: 'not-found' },
  '415005': { verdict: 'absent', code: 'payout-not-found' },
  '415031': { verdict: 'absent', code: 'payin-not-found' },
  '415059': { verdict: 'absent', code: 'recipient-not-found' },
  '415029': { verdict: 'taken', code: 'code-exists' },
  '415056': { verdict: 'taken', code: 'code-exists' },
  '415027': { verdict: 'closed', code: 'already-processed' },
  '415030': { verdict: 'closed', code: 'payin-closed' },
  '415032': { verdict: 'closed', code: 'payin-closed' },
  '415055': { verdict: 'closed', code: 'cannot-cancel' },
  '415008': { verdict: 'no', code: 'address-inactive' },
  '415009': { verdict: 'no', code: 'address-inactive' },
  '415010': { verdict: 'no', code: 'recipient-banned' },
  '415016': { verdict: 'no', code: 'balance-too-low' },
  '415034': { verdict: 'no', code: 'payer-balance-too-low' },
  '415035': { verdict: 'no', code: 'amount-out-of-range' },
  '415057': { verdict: 'no', code: 'amount-out-of-range' },
  '415058': { verdict: 'no', code: 'amount-out-of-range' },
  '415053': { verdict: 'no', code: 'territory-restricted' },
  '415060': { verdict: 'no', code: 'recipient-cannot-receive' },
  '415061': { verdict: 'no', code: 'territory-restricted' },
  '415062': { verdict: 'no', code: 'method-invalid' },
  '415064': { verdict: 'no', code: 'method-invalid' },
  '415065': { verdict: 'no', code: 'compliance' },
  '415073': { verdict: 'no', code: 'not-delivered' },
  '415103': { verdict: 'no', code: 'name-missing' },
};

export type ProviderReply =
  | { readonly kind: 'good'; readonly json: unknown }
  | { readonly kind: Verdict; readonly code: string; readonly reason: string }
  | { readonly kind: 'unclear'; readonly reason: string };

/** The vendor publishes no HTTP statuses: the code decides, and a code without a row is unclear. */
export function readPaymentReply(result: HttpReply | NoReply): ProviderReply {
  if (!isReply(result)) return { kind: 'unclear', reason: result.reason };
  const { status, json } = result;
  if (status >= 200 && status < 300) return { kind: 'good', json };
  const { code, message } = (json ?? {}) as { code?: unknown; message?: unknown };
  const number = typeof code === 'number' || typeof code === 'string' ? String(code) : '';
  const row = status !== 429 && Object.hasOwn(CODES, number) ? CODES[number] : undefined;
  const reason = `${number || status}: ${String(message).slice(0, 200)}`;
  return row === undefined
    ? { kind: 'unclear', reason }
    : { kind: row.verdict, code: row.code, reason };
}

const PAYIN_STATUSES: Readonly<Record<string, PayinStatus>> = {
  CREATED: 'created',
  PROCESSING: 'processing',
  CONFIRMED: 'confirmed',
  FAILED: 'failed',
  BRIDGE_FAILED: 'failed',
  CANCELED: 'canceled',
  BRIDGE_CANCELED: 'canceled',
};

const PAYOUT_STATUSES: Readonly<Record<string, PayoutStatus>> = {
  CREATED: 'created',
  COMMITTED: 'committed',
  PROCESSING: 'committed',
  PENDING_SIGNATURE: 'committed',
  SIGNED: 'committed',
  BRIDGE_CREATED: 'committed',
  ERROR: 'committed', // The vendor calls it temporary.
  CANCEL_REQUESTED: 'pending',
  PENDING: 'pending',
  PENDING_USER_ACTION: 'pending_user_action',
  BRIDGE_USER_SIGNUP_PENDING: 'pending_user_action',
  COMPLETED: 'completed',
  BRIDGE_COMPLETED: 'completed',
  COSMOEM_COMPLETED: 'completed',
  FAILED: 'failed',
  BRIDGE_FAILED: 'failed',
  BRIDGE_MAX_RETRIES_REACHED: 'failed',
  CANCELED: 'canceled',
};

/** The payout waits for its recipient to open an account, under any status. */
const AWAITS_RECIPIENT = '415912';

/** `reversedStatuses`: the vendor documents none, so a deployment names what its account shows. */
export function payinStatusOf(
  vendorStatus: string,
  reversedStatuses: readonly string[] = [],
): PayinStatus {
  const status = vendorStatus.toUpperCase();
  return (
    PAYIN_STATUSES[status] ?? (reversedStatuses.includes(status) ? 'reversed' : 'unrecognised')
  );
}

export function payoutStatusOf(vendorStatus: string, reasonCode: string | null): PayoutStatus {
  const status = PAYOUT_STATUSES[vendorStatus.toUpperCase()] ?? 'unrecognised';
  return status === 'pending' && reasonCode === AWAITS_RECIPIENT ? 'pending_user_action' : status;
}
