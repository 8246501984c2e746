//! Requires a fresh code from the calling operator, where a session is not enough. A person who
//! found an open session could create an operator or a key for themselves, or shut all others out.
//! The master key has no codes: it authenticates each request by itself.
import { refuse } from '@holdfast/contract/errors';
import { refuseField } from '@holdfast/contract/validation';
import type { Call, OperatorActor, PersonActor } from '../../platform/call.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { fingerprint } from '../../platform/fingerprint.ts';
import { findCredentials, takeProof } from './operator.ts';
import type { OperatorApp } from './operator-auth.ts';
import { totpStepOf } from './totp.ts';
import { refuseCode } from './wrong-codes.ts';

/** Takes the code, in the transaction of the action that needs it. */
export type TakeCode = (tx: Tx) => Promise<void>;

/** What a code is used for. It is recorded with the code, which proves nothing else. */
export interface Proof {
  readonly totp: string | undefined;
  /** The endpoint that was called. */
  readonly action: string;
  /** Everything that the request says, except for the code. */
  readonly request: unknown;
}

export async function checkFreshCode(
  app: OperatorApp,
  call: Call,
  { totp, action, request }: Proof,
): Promise<TakeCode> {
  const { actor } = call;
  if (actor.kind !== 'person' && actor.kind !== 'operator') return async () => undefined;
  // The code was taken with the request that was approved.
  if (actor.approvedBy !== undefined) return async () => undefined;
  if (totp === undefined)
    return refuseField('totp', 'required', 'totp is required for an operator');
  const found = await findCredentials(app, actor.email);
  const secret = found?.totp && (await app.operators.openTotp(found.totp, actor.id));
  const step = secret && totpStepOf(secret, totp, app.operators.clock.now());
  if (step === undefined) return refuseCode(app, { ...call, actor: personOf(actor) }, true);
  const requestHash = fingerprint(JSON.stringify([action, request]));
  return async (tx) => {
    const isTaken = await takeProof(tx, actor.id, { step, action, requestHash });
    if (!isTaken) refuse('SIGN_IN_REFUSED', {});
  };
}

/** Wrong codes are counted by the role that reaches the operators. */
function personOf(actor: OperatorActor | PersonActor): PersonActor {
  const { id, email, name, session, reason } = actor;
  const standing = { isPlatformAdmin: false, foreignMarketplaceId: null };
  return { kind: 'person', id, email, name, session, reason, ...standing };
}
