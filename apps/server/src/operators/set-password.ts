//! Lets an operator choose another password: POST /operators/me/password.
import { refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import { audit } from '../audit/audit-entry.ts';
import type { Call, PersonActor } from '../platform/call.ts';
import { transact } from '../platform/transact.ts';
import { checkCredentials } from './open-session.ts';
import { findOperator, type Operator, setPasswordRow, takeTotpStep } from './operator.ts';
import type { OperatorApp } from './operator-door.ts';
import { endSessions } from './session.ts';
import { refuseCode } from './wrong-codes.ts';

export interface NewPassword {
  readonly password: string;
  readonly newPassword: string;
  readonly totp: string;
}

/** A session alone is not enough: who found one open cannot keep its owner out. */
export async function setPassword(
  app: OperatorApp,
  call: Call<PersonActor>,
  wish: NewPassword,
): Promise<Operator> {
  const { id, email, session } = call.actor;
  const { step, hash } = await app.operators.passwords.inTurn(async (turn) => {
    const { isKnown, step } = await checkCredentials(app, turn, { ...wish, email });
    if (step === undefined) return refuseCode(app, call, isKnown);
    return { step, hash: await turn.hash(wish.newPassword) };
  });
  return transact(app, call, async (tx) => {
    if (!(await takeTotpStep(tx, id, step))) refuse('SIGN_IN_REFUSED', {});
    await setPasswordRow(tx, id, hash);
    await endSessions(tx, id, session.id);
    await audit(tx, { action: 'OPERATOR_PASSWORD_CHANGED', resourceId: id });
    const operator = await findOperator(tx, id);
    assert(operator !== undefined, 'who has a session is there');
    return operator;
  });
}
