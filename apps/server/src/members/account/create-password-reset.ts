//! Issues a token with which a member sets a new password, once: POST /users/{id}/password-reset.
//! The marketplace's back end sends it to the member; Holdfast sends no mail.
import { randomBytes } from 'node:crypto';
import { refuse } from '@holdfast/contract/errors';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { UserId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { setResetToken } from './member.ts';

export interface IssuedReset {
  readonly userId: UserId;
  /** Returned once; only its hash is stored. */
  readonly token: string;
  readonly expiresAt: Instant;
}

const VALID_MS = 3600_000;

/** A new token replaces the one before. A user who is no member has no password to reset. */
export async function createPasswordReset(
  app: Transactor,
  call: Call,
  userId: UserId,
): Promise<IssuedReset> {
  const token = randomBytes(32).toString('base64url');
  return transact(app, call, async (tx) => {
    const expiresAt = tx.now + VALID_MS;
    if (!(await setResetToken(tx, userId, token, expiresAt))) refuse('USER_NOT_FOUND', { userId });
    await audit(tx, {
      action: 'MEMBER_PASSWORD_RESET_ISSUED',
      resourceId: userId,
      after: { expiresAt: instantText(expiresAt) },
    });
    return { userId, token, expiresAt };
  });
}
