//! Links a user's account at the payment provider: POST /users/{id}/payment-account/link.
import { refuse } from '@holdfast/contract/errors';
import { instantText } from '@holdfast/kernel/clock';
import type { UserId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { emit } from '../../platform/database/outbox.ts';
import { read, type Transactor, transact } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import type { PaymentProvider } from '../../providers/payments/payment-provider.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { findUser, linkPaymentAccountRow, type User } from './user.ts';

export interface PaymentAccountLinker extends Transactor {
  readonly payments: PaymentProvider | undefined;
}

/** The provider is called before the transaction; linking again returns the same. */
export async function linkPaymentAccount(
  app: PaymentAccountLinker,
  call: Call,
  userId: UserId,
  input: { email?: string },
): Promise<User> {
  const user =
    (await read(app, call, (tx) => findUser(tx, userId))) ?? refuse('USER_NOT_FOUND', { userId });
  const email = input.email ?? user.email;
  const accountId = user.paymentAccountUserId ?? (await findAccount(app, email));
  return transact(app, call, async (tx) => {
    const current = (await findUser(tx, userId)) ?? refuse('USER_NOT_FOUND', { userId });
    if (current.paymentAccountUserId !== null) return shownTo(tx.actor, current);
    if (!(await linkPaymentAccountRow(tx, userId, accountId))) refuse('PAYMENT_ACCOUNT_TAKEN', {});
    await emit(tx, 'user.payment_account_linked', userId, {
      userId,
      paymentAccountUserId: accountId,
      linkedAt: instantText(tx.now),
    });
    await audit(tx, {
      action: 'PAYMENT_ACCOUNT_LINKED',
      resourceId: userId,
      after: { paymentAccountUserId: accountId },
    });
    const linked = { paymentAccountUserId: accountId, linkedAt: tx.now, updatedAt: tx.now };
    return shownTo(tx.actor, { ...current, ...linked });
  });
}

async function findAccount(
  { payments }: PaymentAccountLinker,
  email: string | null,
): Promise<string> {
  if (email === null)
    return refuse('PAYMENT_ACCOUNT_INVALID', {
      reason: 'the user has no email and the request has none',
    });
  if (payments === undefined)
    return refuse('SERVICE_UNAVAILABLE', { reason: 'no payment provider is configured' });
  const found = await payments.findAccount(email);
  if (found.kind === 'unknown') return refuse('PROVIDER_TIMEOUT', { operationId: null });
  if (found.kind === 'refused') return refuse('PAYMENT_ACCOUNT_INVALID', { reason: found.reason });
  if (!found.value.isActive)
    return refuse('PAYMENT_ACCOUNT_INVALID', { reason: 'the account is not active' });
  return found.value.id;
}
