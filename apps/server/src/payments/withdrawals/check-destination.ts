//! Checks with the provider or the network that a destination can be paid. It runs before the
//! withdrawal's transaction, because a transaction makes no network calls.
import { refuse } from '@holdfast/contract/errors';
import { findUser, type User } from '../../accounts/users/user.ts';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import type { LedgerNetwork } from '../../providers/network/ledger-network.ts';
import type { PaymentProvider } from '../../providers/payments/payment-provider.ts';
import type { WithdrawalTerms } from './withdrawal.ts';

export interface DestinationChecker extends Transactor {
  /** Undefined where none is configured. */
  readonly payments: PaymentProvider | undefined;
  readonly network: LedgerNetwork | undefined;
}

export async function checkDestination(
  app: DestinationChecker,
  call: Call,
  terms: WithdrawalTerms,
): Promise<void> {
  const { userId, destination } = terms;
  const user =
    (await read(app, call, (tx) => findUser(tx, userId))) ?? refuse('USER_NOT_FOUND', { userId });
  if (destination.type === 'crypto') return checkAddress(app, terms);
  const payments =
    app.payments ?? refuse('SERVICE_UNAVAILABLE', { reason: 'no payment provider is configured' });
  if (destination.type === 'payment_account') return checkAccount(payments, user, destination.ref);
  if (!payments.hasBankPayouts) refuse('DESTINATION_NOT_SUPPORTED', { type: destination.type });
}

/** The provider's account with this e-mail address must be the one that the user linked. */
async function checkAccount(payments: PaymentProvider, user: User, email: string): Promise<void> {
  const invalid = (reason: string) => refuse('PAYMENT_ACCOUNT_INVALID', { reason });
  if (user.paymentAccountUserId === null) return invalid('the user has no linked payment account');
  const found = await payments.findAccount(email);
  if (found.kind === 'unknown') return refuse('PROVIDER_TIMEOUT', { operationId: null });
  if (found.kind === 'refused') return invalid(found.reason);
  if (found.value.id !== user.paymentAccountUserId)
    return invalid('the account is not the one linked to the user');
  if (!found.value.isActive) return invalid('the account is not active');
}

/**
 * An address that exists, can hold the money, and is not ours. A payment to one of ours would look
 * like a deposit, and the money would be counted twice.
 */
async function checkAddress(
  { network, pool }: DestinationChecker,
  { currency, destination: { type, ref, memo } }: WithdrawalTerms,
): Promise<void> {
  if (network === undefined)
    return refuse('SERVICE_UNAVAILABLE', { reason: 'no Stellar network is configured' });
  const invalid = (reason: string) => refuse('DESTINATION_INVALID', { type, reason });
  const { rows } = await pool.query<{ ours: boolean }>('select work.is_own_address($1) as ours', [
    ref,
  ]);
  // The refusal does not reveal whose address it is.
  if (rows[0]?.ours !== false || ref === network.usdcIssuer)
    return invalid('the address belongs to this platform');
  const found = await network.account(ref);
  if (found.kind !== 'done')
    return refuse('SERVICE_UNAVAILABLE', { reason: 'the network did not respond', retryAfter: 2 });
  if (found.value === null) return invalid('the account does not exist on the network');
  if (currency !== 'XLM' && !found.value.hasUsdcTrustline)
    return invalid('the account has no USDC trustline');
  if (found.value.requiresMemo && !memo) return invalid('the account requires a memo');
}
