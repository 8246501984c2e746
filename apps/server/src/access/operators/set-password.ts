//! Changes the operator's own password: POST /operators/me/password.
import { refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import type { Call, PersonActor } from '../../platform/call.ts';
import { transact } from '../../platform/database/transact.ts';
import type { QueuePosition } from '../../platform/password.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { checkCredentials } from './open-session.ts';
import { findOperator, type Operator, setPasswordRow, takeTotpStep } from './operator.ts';
import type { OperatorApp } from './operator-auth.ts';
import { endSessions } from './session.ts';
import { refuseCode } from './wrong-codes.ts';

export interface NewPassword {
  readonly password: string;
  readonly newPassword: string;
  readonly totp: string;
}

/** Requires password and code: a person who found an open session cannot lock its owner out. */
export async function setPassword(
  app: OperatorApp,
  call: Call<PersonActor>,
  input: NewPassword,
  queue: QueuePosition,
): Promise<Operator> {
  const { id, email, session } = call.actor;
  app.operators.passwords.checkNew('newPassword', input.newPassword);
  const { step, hash } = await app.operators.passwords.withHasher(queue, async (hasher) => {
    const { isKnown, step } = await checkCredentials(app, hasher, { ...input, email });
    if (step === undefined) return refuseCode(app, call, isKnown);
    return { step, hash: await hasher.hash(input.newPassword) };
  });
  return transact(app, call, async (tx) => {
    if (!(await takeTotpStep(tx, id, step))) refuse('SIGN_IN_REFUSED', {});
    await setPasswordRow(tx, id, hash);
    await endSessions(tx, id, session.id);
    await audit(tx, { action: 'OPERATOR_PASSWORD_CHANGED', resourceId: id });
    const operator = await findOperator(tx, id);
    assert(operator !== undefined, 'the operator of a session exists');
    return operator;
  });
}
