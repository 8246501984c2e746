//! Logs a member in by password: POST /auth/login.
import { refuse } from '@holdfast/contract/errors';
import type { RequestOrigin } from '../../platform/call.ts';
import { read } from '../../platform/database/transact.ts';
import type { QueuePosition } from '../../platform/password.ts';
import { findMember, findMemberByEmail } from './member.ts';
import type { MemberApp } from './member-auth.ts';
import type { Session } from './register-member.ts';

export type { MemberApp } from './member-auth.ts';

/**
 * An unknown address, a frozen user and a wrong password get the same response, after the same
 * time.
 */
export async function logIn(
  app: MemberApp,
  origin: RequestOrigin,
  { email, password }: { readonly email: string; readonly password: string },
  queue: QueuePosition,
): Promise<Session> {
  const { members } = app;
  const call = await members.call(origin);
  const member = await members.passwords.withHasher(queue, async (hasher) => {
    const found = await read(app, call, (tx) => findMemberByEmail(tx, email));
    return (await hasher.verify(password, found?.passwordHash)) ? found : undefined;
  });
  if (member === undefined) return refuse('INVALID_CREDENTIALS', {});
  const { userId: id, name, passwordHash } = member;
  const now = app.clock.now();
  // Read again: the user may have been frozen, or the password changed, during the hashing.
  const current = await read(app, call, (tx) => findMember(tx, id));
  if (!current?.isActive || current.passwordHash !== passwordHash)
    refuse('INVALID_CREDENTIALS', {});
  return { token: await members.tokens.sign(id, now), id, email: member.email, name };
}
