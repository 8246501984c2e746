//! A user as an operator sees it, until they ask for more with a reason.
import type { Actor } from '../platform/call.ts';
import { maskEmail, maskText, seesPersonalData } from '../platform/mask.ts';
import type { User } from './user.ts';

type Personal = Pick<User, 'email' | 'paymentAccountUserId'>;

export function shownTo<U extends Personal>(actor: Actor, user: U): U {
  if (seesPersonalData(actor)) return user;
  const { email, paymentAccountUserId } = user;
  return {
    ...user,
    email: email === null ? null : maskEmail(email),
    paymentAccountUserId: paymentAccountUserId === null ? null : maskText(paymentAccountUserId),
  };
}
