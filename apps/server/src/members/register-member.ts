//! Registers a person, who becomes a user like any other: POST /auth/register.
import { refuse } from '@holdfast/contract/errors';
import type { UserId } from '@holdfast/kernel/ids';
import { audit } from '../audit/audit-entry.ts';
import { emailKey } from '../platform/email-key.ts';
import { read, transact } from '../platform/transact.ts';
import { createUser, type UserMaker } from '../users/create-user.ts';
import { findMemberByEmail, insertMember } from './member.ts';
import type { MemberApp } from './member-door.ts';

export interface NewMember {
  readonly email: string;
  readonly password: string;
  readonly name: string;
}

export interface Session {
  readonly token: string;
  readonly id: UserId;
  readonly email: string;
  readonly name: string;
}

export async function registerMember(
  app: MemberApp & UserMaker,
  requestId: string,
  { email, password, name }: NewMember,
): Promise<Session> {
  const { members } = app;
  const call = await members.call(requestId);
  const passwordHash = await members.passwords.inTurn(async (turn) => {
    // Looked at first, so that a taken address costs no hashing; decided by the insert.
    if (await read(app, call, (tx) => findMemberByEmail(tx, email))) refuse('EMAIL_TAKEN', {});
    return turn.hash(password);
  });
  // Found again if the process dies before the next line, and whoever tries again goes on.
  const wish = { externalUserId: members.externalIdOf(email), email: emailKey(email) };
  const { user } = await createUser(app, call, wish);
  const now = app.clock.now();
  const member = { userId: user.id, email, name, passwordHash, tokensSince: now };
  await transact(app, call, async (tx) => {
    if (!(await insertMember(tx, member))) refuse('EMAIL_TAKEN', {});
    await audit(tx, { action: 'MEMBER_REGISTERED', resourceId: user.id, after: { email, name } });
  });
  const token = await members.tokens.sign(user.id, app.clock.now());
  return { token, id: user.id, email, name };
}
