//! Sets the first password and the two-factor secret of an operator, by the person themselves:
//! POST /operators/enrollment/complete.
import { refuse } from '@holdfast/contract/errors';
import { refuseField } from '@holdfast/contract/validation';
import type { RequestOrigin } from '../../platform/call.ts';
import { transact } from '../../platform/database/transact.ts';
import type { QueuePosition } from '../../platform/password.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { callOf } from '../operators/open-session.ts';
import { enrollRow } from '../operators/operator.ts';
import type { OperatorApp } from '../operators/operator-auth.ts';
import { totpStepOf } from '../operators/totp.ts';
import { confirmationCode } from './confirmation-code.ts';
import { findInvitation, useInvitation } from './invitation.ts';

export interface ChosenCredentials {
  readonly token: string;
  readonly password: string;
  readonly totp: string;
}

export interface EnrolledOperator {
  readonly email: string;
  readonly name: string;
  readonly confirmationCode: string;
}

export async function enrollOperator(
  app: OperatorApp,
  origin: RequestOrigin,
  { token, password, totp: code }: ChosenCredentials,
  queue: QueuePosition,
): Promise<EnrolledOperator> {
  const { operators } = app;
  // First, so that a wrong token costs no hashing; the transaction decides.
  const found = (await findInvitation(app, token)) ?? refuse('INVITATION_INVALID', {});
  operators.passwords.checkNew('password', password);
  const { id, email, name, totp } = found;
  if (totp === undefined) return refuseCode();
  const totpSecret = await operators.openTotp(totp, id);
  const step = totpStepOf(totpSecret, code, operators.clock.now()) ?? refuseCode();
  const passwordHash = await operators.passwords.withHasher(queue, (hasher) =>
    hasher.hash(password),
  );
  return transact(app, callOf(found, origin), async (tx) => {
    const salt = (await useInvitation(tx, token, totp)) ?? refuse('INVITATION_INVALID', {});
    if (!(await enrollRow(tx, id, { passwordHash, totp, step }))) refuse('INVITATION_INVALID', {});
    await audit(tx, { action: 'OPERATOR_ENROLLED', resourceId: id });
    const shown = confirmationCode({ id, passwordHash, totpSecret, salt });
    return { email, name, confirmationCode: shown };
  });
}

function refuseCode(): never {
  return refuseField('totp', 'conflict', 'totp does not match the secret that was shown last');
}
