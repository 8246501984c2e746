//! Response views of a user, and of a token for a new password.
import type { PasswordResetView, UserView } from '@holdfast/contract/records';
import { type Instant, instantText } from '@holdfast/kernel/clock';

type User = Omit<UserView, 'linkedAt' | 'createdAt' | 'updatedAt'> & {
  readonly linkedAt: Instant | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

export function userView(user: User): UserView {
  return {
    id: user.id,
    externalUserId: user.externalUserId,
    email: user.email,
    type: user.type,
    status: user.status,
    depositCurrency: user.depositCurrency,
    paymentAccountUserId: user.paymentAccountUserId,
    linkedAt: instantText(user.linkedAt),
    ledgerAddress: user.ledgerAddress,
    createdAt: instantText(user.createdAt),
    updatedAt: instantText(user.updatedAt),
  };
}

type Reset = Pick<PasswordResetView, 'userId'> & { readonly expiresAt: Instant };

/** Without the token. */
export function passwordResetView({ userId, expiresAt }: Reset): PasswordResetView {
  return { userId, expiresAt: instantText(expiresAt) };
}
