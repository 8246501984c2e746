//! Shows the person of an invitation what they need to enroll: POST /operators/enrollment.
import { refuse } from '@holdfast/contract/errors';
import { encodeBase32 } from '@holdfast/kernel/base32';
import type { Instant } from '@holdfast/kernel/clock';
import type { RequestOrigin } from '../../platform/call.ts';
import { transact } from '../../platform/database/transact.ts';
import { callOf } from '../operators/open-session.ts';
import type { OperatorApp } from '../operators/operator-auth.ts';
import { newTotpSecret, totpUri } from '../operators/totp.ts';
import { findInvitation, setShownSecret } from './invitation.ts';

export interface OpenedInvitation {
  readonly email: string;
  readonly name: string;
  readonly totpSecret: string;
  readonly totpUri: string;
  readonly expiresAt: Instant;
}

/**
 * Each call shows a new secret, and only the last one counts. So an admin who opens the link
 * before sending it does not know the secret that the person enrolls with.
 */
export async function openInvitation(
  app: OperatorApp,
  origin: RequestOrigin,
  token: string,
): Promise<OpenedInvitation> {
  const found = (await findInvitation(app, token)) ?? refuse('INVITATION_INVALID', {});
  const { id, email, name, expiresAt } = found;
  const secret = newTotpSecret();
  const totp = await app.operators.sealTotp(secret, id);
  return transact(app, callOf(found, origin), async (tx) => {
    if (!(await setShownSecret(tx, token, totp))) refuse('INVITATION_INVALID', {});
    const shown = { totpSecret: encodeBase32(secret), totpUri: totpUri(secret, email) };
    return { email, name, expiresAt, ...shown };
  });
}
