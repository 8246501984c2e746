//! Signs an operator in: POST /operators/sign-in.

import { refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import type { Call, PersonActor, RequestOrigin, Session } from '../../platform/call.ts';
import { transact } from '../../platform/database/transact.ts';
import { emailKey } from '../../platform/email-key.ts';
import { fingerprint } from '../../platform/fingerprint.ts';
import type { PasswordHasher, QueuePosition } from '../../platform/password.ts';
import { SIGN_IN_REFUSED } from '../../platform/process/alarms.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import {
  type Credentials,
  findCredentials,
  findOperator,
  type Operator,
  recordSignIn,
  takeTotpStep,
} from './operator.ts';
import type { OperatorApp } from './operator-auth.ts';
import { insertSession, newSessionToken, type SessionClient } from './session.ts';
import { totpStepOf } from './totp.ts';
import { refuseCode } from './wrong-codes.ts';

export interface SignIn {
  readonly email: string;
  readonly password: string;
  readonly totp: string;
}

export interface SignInOrigin extends SessionClient {
  readonly queue: QueuePosition;
}

export interface SignedIn {
  readonly operator: Operator;
  readonly session: Session;
  /** Returned once, in the cookie. */
  readonly token: string;
}

/**
 * Every wrong input gets the same response, after the same time. The token is new each time, so
 * that an attacker cannot plant a session for an operator to sign in to.
 */
export async function openSession(
  app: OperatorApp,
  origin: RequestOrigin,
  given: SignIn,
  { queue, ...client }: SignInOrigin,
): Promise<SignedIn> {
  const { operators } = app;
  const { requestId } = origin;
  const { found, isKnown, step } = await operators.passwords.withHasher(queue, (hasher) =>
    checkCredentials(app, hasher, given),
  );
  const call = callOf(found ?? ANONYMOUS, origin);
  if (found === undefined || step === undefined) {
    app.log.warn({ requestId, email: fingerprint(emailKey(given.email)) }, SIGN_IN_REFUSED);
    return refuseCode(app, call, isKnown);
  }
  const token = newSessionToken();
  const csrfToken = operators.csrfTokenOf(token);
  const now = operators.clock.now();
  return transact(app, call, async (tx) => {
    // A code is taken once, even when another person has seen it.
    if (!(await takeTotpStep(tx, found.id, step))) refuse('SIGN_IN_REFUSED', {});
    const { id, expiresAt } = await insertSession(tx, found.id, token, client, now);
    await recordSignIn(tx, found.id);
    await audit(tx, { action: 'OPERATOR_SIGNED_IN', resourceId: found.id });
    const operator = await findOperator(tx, found.id);
    assert(operator !== undefined, 'the operator who signs in exists');
    return { operator, token, session: { id, csrfToken, expiresAt } };
  });
}

/** The operator of the address, whether the password matches, and the step of a matching code. */
export interface CheckedCredentials {
  readonly found: Credentials | undefined;
  readonly isKnown: boolean;
  readonly step: number | undefined;
}

/** Takes as long for an unknown address. */
export async function checkCredentials(
  app: OperatorApp,
  hasher: PasswordHasher,
  { email, password, totp }: SignIn,
): Promise<CheckedCredentials> {
  const found = await findCredentials(app, email);
  const isRight = await hasher.verify(password, found?.passwordHash);
  if (found?.totp === undefined || !isRight || found.status !== 'ACTIVE')
    return { found, isKnown: false, step: undefined };
  const secret = await app.operators.openTotp(found.totp, found.id);
  return { found, isKnown: true, step: totpStepOf(secret, totp, app.operators.clock.now()) };
}

/** Makes an unknown address run the same queries as a known one. */
const ANONYMOUS = { id: 'opr_nobody', email: '', name: '', isPlatformAdmin: false } as const;

type Identity = Pick<Credentials, 'id' | 'email' | 'name' | 'isPlatformAdmin'>;

/** A call in the name of a person who has no session yet. */
export function callOf(found: Identity, { requestId, client }: RequestOrigin): Call<PersonActor> {
  const { id, email, name, isPlatformAdmin } = found;
  const session = { id: '0', csrfToken: '', expiresAt: 0 };
  const person = {
    id,
    email,
    name,
    isPlatformAdmin,
    session,
    reason: null,
    foreignMarketplaceId: null,
  };
  return { actor: { kind: 'person', ...person }, requestId, client, idempotency: undefined };
}
