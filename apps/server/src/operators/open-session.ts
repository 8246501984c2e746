//! Signs an operator in: POST /operators/sign-in.
import { refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import { audit } from '../audit/audit-entry.ts';
import type { Call, PersonActor, Session } from '../platform/call.ts';
import { emailKey } from '../platform/email-key.ts';
import { fingerprint } from '../platform/fingerprint.ts';
import type { Turn } from '../platform/password.ts';
import { transact } from '../platform/transact.ts';
import {
  type Credentials,
  findCredentials,
  findOperator,
  noteSignIn,
  type Operator,
  takeTotpStep,
} from './operator.ts';
import type { OperatorApp } from './operator-door.ts';
import { insertSession, newSessionToken } from './session.ts';
import { totpStepOf } from './totp.ts';
import { refuseCode } from './wrong-codes.ts';

export interface SignIn {
  readonly email: string;
  readonly password: string;
  readonly totp: string;
}

export interface SignedIn {
  readonly operator: Operator;
  readonly session: Session;
  /** Told once, in the cookie. */
  readonly token: string;
}

/**
 * Whatever is wrong gets the same answer, after the same time. The token is new each time: nobody
 * can hand somebody a session to sign in to.
 */
export async function openSession(
  app: OperatorApp,
  requestId: string,
  given: SignIn,
  userAgent: string,
): Promise<SignedIn> {
  const { operators } = app;
  const { found, isKnown, step } = await operators.passwords.inTurn((turn) =>
    checkCredentials(app, turn, given),
  );
  const call = callOf(found ?? NOBODY, requestId);
  if (found === undefined || step === undefined) {
    app.log.warn({ requestId, email: fingerprint(emailKey(given.email)) }, 'refuse sign-in');
    return refuseCode(app, call, isKnown);
  }
  const token = newSessionToken();
  const csrfToken = operators.csrfTokenOf(token);
  const now = operators.clock.now();
  return transact(app, call, async (tx) => {
    // A code is taken once, whoever has seen it.
    if (!(await takeTotpStep(tx, found.id, step))) refuse('SIGN_IN_REFUSED', {});
    const { id, expiresAt } = await insertSession(tx, found.id, token, userAgent, now);
    await noteSignIn(tx, found.id);
    await audit(tx, { action: 'OPERATOR_SIGNED_IN', resourceId: found.id });
    const operator = await findOperator(tx, found.id);
    assert(operator !== undefined, 'who signs in is there');
    return { operator, token, session: { id, csrfToken, expiresAt } };
  });
}

/** Whose address it is, whether the password is theirs, and the step of a code that fits too. */
export interface Checked {
  readonly found: Credentials | undefined;
  readonly isKnown: boolean;
  readonly step: number | undefined;
}

/** Takes as long for a stranger. */
export async function checkCredentials(
  app: OperatorApp,
  turn: Turn,
  { email, password, totp }: SignIn,
): Promise<Checked> {
  const found = await findCredentials(app, email);
  const isRight = await turn.isRight(password, found?.passwordHash);
  if (found === undefined || !isRight || found.status !== 'ACTIVE')
    return { found, isKnown: false, step: undefined };
  const secret = await app.operators.openTotp(found.totp, found.id);
  return { found, isKnown: true, step: totpStepOf(secret, totp, app.operators.clock.now()) };
}

/** Asks the database what somebody would. */
const NOBODY = { id: 'opr_nobody', email: '', name: '', isPlatformAdmin: false } as const;

type Someone = Pick<Credentials, 'id' | 'email' | 'name' | 'isPlatformAdmin'>;

function callOf(found: Someone, requestId: string): Call<PersonActor> {
  const { id, email, name, isPlatformAdmin } = found;
  const session = { id: '0', csrfToken: '', expiresAt: 0 };
  const person = { id, email, name, isPlatformAdmin, session, reason: null, strangeTo: null };
  return { actor: { kind: 'person', ...person }, requestId, idempotency: undefined };
}
