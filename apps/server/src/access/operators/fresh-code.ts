//! Requires a fresh code from the calling operator, where a session is not enough. A person who
//! found an open session could create an operator for themselves, or shut all others out. The
//! master key has no codes: it authenticates each request by itself.
import { refuse } from '@holdfast/contract/errors';
import { refuseField } from '@holdfast/contract/validation';
import type { Call } from '../../platform/call.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { findCredentials, takeTotpStep } from './operator.ts';
import type { OperatorApp } from './operator-auth.ts';
import { totpStepOf } from './totp.ts';
import { refuseCode } from './wrong-codes.ts';

/** Takes the code, in the transaction of the action that needs it. */
export type TakeCode = (tx: Tx) => Promise<void>;

export async function checkFreshCode(
  app: OperatorApp,
  call: Call,
  totp: string | undefined,
): Promise<TakeCode> {
  const { actor } = call;
  if (actor.kind !== 'person') return async () => undefined;
  if (totp === undefined)
    return refuseField('totp', 'required', 'totp is required for an operator');
  const found = await findCredentials(app, actor.email);
  const secret = found && (await app.operators.openTotp(found.totp, actor.id));
  const step = secret && totpStepOf(secret, totp, app.operators.clock.now());
  if (step === undefined) return refuseCode(app, { ...call, actor }, true);
  return async (tx) => {
    if (!(await takeTotpStep(tx, actor.id, step))) refuse('SIGN_IN_REFUSED', {});
  };
}
