//! Changes the member's own password, which ends all tokens: POST /auth/password.
import { refuse } from '@holdfast/contract/errors';
import type { Instant } from '@holdfast/kernel/clock';
import type { Call, MemberActor } from '../../platform/call.ts';
import { read, transact } from '../../platform/database/transact.ts';
import type { QueuePosition } from '../../platform/password.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { findMember, replacePassword } from './member.ts';
import type { MemberApp } from './member-auth.ts';

export interface PasswordChange {
  readonly password: string;
  readonly new_password: string;
}

/** Requires the old password: a person who found a token cannot take the account over. */
export async function changePassword(
  app: MemberApp,
  call: Call<MemberActor>,
  { password, new_password: wanted }: PasswordChange,
  queue: QueuePosition,
): Promise<Instant> {
  const { passwords } = app.members;
  const { id } = call.actor;
  passwords.checkNew('new_password', wanted);
  const { before, after } = await passwords.withHasher(queue, async (hasher) => {
    const member = await read(app, call, (tx) => findMember(tx, id));
    const isRight = await hasher.verify(password, member?.passwordHash);
    if (member === undefined || !isRight) return refuse('INVALID_CREDENTIALS', {});
    return { before: member.passwordHash, after: await hasher.hash(wanted) };
  });
  return transact(app, call, async (tx) => {
    // Another change or reset came first.
    if (!(await replacePassword(tx, id, before, after))) refuse('INVALID_CREDENTIALS', {});
    await audit(tx, { action: 'MEMBER_PASSWORD_CHANGED', resourceId: id });
    return tx.now;
  });
}
