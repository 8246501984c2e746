//! A code of whoever asks, where a session is not enough: who found one open could make themselves
//! an operator, and keep it, or shut all others out. The master key has no codes, and shows that it
//! is itself each time.
import { refuse } from '@holdfast/contract/errors';
import type { Call } from '../platform/call.ts';
import type { Tx } from '../platform/transact.ts';
import { findCredentials, takeTotpStep } from './operator.ts';
import type { OperatorApp } from './operator-door.ts';
import { totpStepOf } from './totp.ts';
import { refuseCode } from './wrong-codes.ts';

/** Takes the code, in the transaction of what it is for. */
export type TakeCode = (tx: Tx) => Promise<void>;

export async function checkFreshCode(
  app: OperatorApp,
  call: Call,
  totp: string | undefined,
): Promise<TakeCode> {
  const { actor } = call;
  if (actor.kind !== 'person') return async () => undefined;
  if (totp === undefined)
    return refuse('VALIDATION_ERROR', { validationErrors: ['totp is required of an operator'] });
  const found = await findCredentials(app, actor.email);
  const secret = found && (await app.operators.openTotp(found.totp, actor.id));
  const step = secret && totpStepOf(secret, totp, app.operators.clock.now());
  if (step === undefined) return refuseCode(app, { ...call, actor }, true);
  return async (tx) => {
    if (!(await takeTotpStep(tx, actor.id, step))) refuse('SIGN_IN_REFUSED', {});
  };
}
