//! Logs a member in by password: POST /auth/login.
import { refuse } from '@holdfast/contract/errors';
import { read } from '../../platform/database/transact.ts';
import { findMemberByEmail } from './member.ts';
import type { MemberApp } from './member-auth.ts';
import type { Session } from './register-member.ts';

export type { MemberApp } from './member-auth.ts';

/** An unknown address and a wrong password get the same response, after the same time. */
export async function logIn(
  app: MemberApp,
  requestId: string,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<Session> {
  const { members } = app;
  const member = await members.passwords.withHasher(async (hasher) => {
    const call = await members.call(requestId);
    const found = await read(app, call, (tx) => findMemberByEmail(tx, email));
    return (await hasher.verify(password, found?.passwordHash)) ? found : undefined;
  });
  if (member === undefined) return refuse('INVALID_CREDENTIALS', {});
  const { userId: id, name } = member;
  return { token: await members.tokens.sign(id, app.clock.now()), id, email: member.email, name };
}
