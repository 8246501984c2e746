//! Sets a new password by a one-time token, which ends all tokens: POST /auth/password/reset.
import { refuse } from '@holdfast/contract/errors';
import type { Instant } from '@holdfast/kernel/clock';
import type { RequestOrigin } from '../../platform/call.ts';
import { read, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { findMemberByResetToken, replacePassword } from './member.ts';
import type { MemberApp } from './member-auth.ts';

export interface PasswordReset {
  readonly token: string;
  readonly new_password: string;
}

export async function resetPassword(
  app: MemberApp,
  origin: RequestOrigin,
  { token, new_password: wanted }: PasswordReset,
  from: string,
): Promise<Instant> {
  const { members } = app;
  members.passwords.checkNew('new_password', wanted);
  const call = await members.call(origin);
  const find = () => read(app, call, (tx) => findMemberByResetToken(tx, token));
  // Checked first, so that a wrong token costs no hashing; the transaction decides.
  if ((await find()) === undefined) refuse('RESET_TOKEN_INVALID', {});
  const queue = { line: 'member', from } as const;
  const hash = await members.passwords.withHasher(queue, (hasher) => hasher.hash(wanted));
  return transact(app, call, async (tx) => {
    const member = (await findMemberByResetToken(tx, token)) ?? refuse('RESET_TOKEN_INVALID', {});
    const { userId, passwordHash } = member;
    if (!(await replacePassword(tx, userId, passwordHash, hash))) refuse('RESET_TOKEN_INVALID', {});
    await audit(tx, { action: 'MEMBER_PASSWORD_RESET', resourceId: userId });
    return tx.now;
  });
}
