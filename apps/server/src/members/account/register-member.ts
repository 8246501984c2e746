//! Registers a person, who becomes a user like any other: POST /auth/register.
import { refuse } from '@holdfast/contract/errors';
import type { UserId } from '@holdfast/kernel/ids';
import { createUserWithoutWallet } from '../../accounts/users/create-user.ts';
import type { RequestOrigin } from '../../platform/call.ts';
import { read, transact } from '../../platform/database/transact.ts';
import { emailKey } from '../../platform/email-key.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { findMemberByEmail, insertMember } from './member.ts';
import type { MemberApp } from './member-auth.ts';
import { countRegistration } from './registration-count.ts';

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
  app: MemberApp,
  origin: RequestOrigin,
  { email, password, name }: NewMember,
  from: string,
): Promise<Session> {
  const { members } = app;
  members.passwords.checkNew('password', password);
  const call = await members.call(origin);
  await transact(
    app,
    call,
    (tx) => countRegistration(tx, from, members.registrations),
    'read committed',
  );
  const queue = { line: 'registration', from } as const;
  const passwordHash = await members.passwords.withHasher(queue, async (hasher) => {
    // Checked first, so that a taken address costs no hashing; the insert decides.
    if (await read(app, call, (tx) => findMemberByEmail(tx, email))) refuse('EMAIL_TAKEN', {});
    return hasher.hash(password);
  });
  // Found again if the process dies before the next line, so that a retry completes the
  // registration.
  const newUser = { externalUserId: members.externalIdOf(email), email: emailKey(email) };
  const { user } = await createUserWithoutWallet(app, call, newUser);
  const member = { userId: user.id, email, name, passwordHash };
  await transact(app, call, async (tx) => {
    if (!(await insertMember(tx, member))) refuse('EMAIL_TAKEN', {});
    await audit(tx, { action: 'MEMBER_REGISTERED', resourceId: user.id, after: { email, name } });
  });
  const token = await members.tokens.sign(user.id, app.clock.now());
  return { token, id: user.id, email, name };
}
