//! Invites an operator: POST /operators. In development, a password creates one at once.
import { refuse } from '@holdfast/contract/errors';
import { refuseField } from '@holdfast/contract/validation';
import { assert } from '@holdfast/kernel/assert';
import { encodeBase32 } from '@holdfast/kernel/base32';
import { instantText } from '@holdfast/kernel/clock';
import { newId, type OperatorId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Tx, transact } from '../../platform/database/transact.ts';
import type { WrappedKey } from '../../providers/signing/key-wrapper.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { checkFreshCode } from '../operators/check-fresh-code.ts';
import type { Membership } from '../operators/membership.ts';
import { findOperator, insertOperator, type Operator } from '../operators/operator.ts';
import type { OperatorApp } from '../operators/operator-auth.ts';
import { refuseMasterKey } from '../operators/refuse-master-key.ts';
import { writeMemberships } from '../operators/set-memberships.ts';
import { newTotpSecret, totpUri } from '../operators/totp.ts';
import { type IssuedInvitation, insertInvitation } from './invitation.ts';

export interface NewOperator {
  readonly email: string;
  readonly name: string;
  /** In development only: the creator of an operator must not know the credentials. */
  readonly password?: string;
  readonly isPlatformAdmin?: boolean;
  readonly memberships?: readonly Membership[];
  /** A code of the calling operator; the master key has none. */
  readonly totp?: string;
}

/** An operator together with what is returned once: an invitation, or a secret. */
export interface IssuedOperator {
  readonly operator: Operator;
  readonly invitation?: IssuedInvitation;
  readonly totpSecret?: string;
  readonly totpUri?: string;
}

export async function createOperator(
  app: OperatorApp,
  call: Call,
  input: NewOperator,
): Promise<IssuedOperator> {
  const { email, name, password, isPlatformAdmin = false, memberships = [] } = input;
  if (password !== undefined) checkPassword(app, password);
  const takeCode = await checkFreshCode(app, call, {
    totp: input.totp,
    action: 'createOperator',
    request: { email, name, isPlatformAdmin, memberships },
  });
  const id = newId('opr', app.clock.now());
  const credentials = password === undefined ? undefined : await seal(app, call, id, password);
  return transact(app, call, async (tx) => {
    await takeCode(tx);
    await refuseMasterKey(tx);
    const { passwordHash, totp } = credentials ?? {};
    if (!(await insertOperator(tx, { id, email, name, passwordHash, totp, isPlatformAdmin })))
      refuse('OPERATOR_EXISTS', {});
    const invitation = credentials ? undefined : await insertInvitation(app, tx, id);
    await auditCreation(tx, id, { email, name, isPlatformAdmin }, invitation);
    if (memberships.length > 0) await writeMemberships(tx, id, memberships);
    const operator = await findOperator(tx, id);
    assert(operator !== undefined, 'the row that this transaction wrote exists');
    if (credentials === undefined) return { operator, ...(invitation && { invitation }) };
    const { secret } = credentials;
    return { operator, totpSecret: encodeBase32(secret), totpUri: totpUri(secret, email) };
  });
}

function checkPassword({ operators }: OperatorApp, password: string): void {
  if (!operators.acceptsPasswords)
    refuseField('password', 'unknown', 'password is set by the person, with the link');
  operators.passwords.checkNew('password', password);
}

interface SealedCredentials {
  readonly passwordHash: string;
  readonly totp: WrappedKey;
  readonly secret: Uint8Array;
}

async function seal(
  { operators }: OperatorApp,
  call: Call,
  id: OperatorId,
  password: string,
): Promise<SealedCredentials> {
  const secret = newTotpSecret();
  const totp = await operators.sealTotp(secret, id);
  // The caller is known: not one of those who only try to sign in.
  const queue = { line: 'known-operator', from: call.actor.id } as const;
  const passwordHash = await operators.passwords.withHasher(queue, (hasher) =>
    hasher.hash(password),
  );
  return { passwordHash, totp, secret };
}

async function auditCreation(
  tx: Tx,
  resourceId: OperatorId,
  after: Record<string, unknown>,
  invitation: IssuedInvitation | undefined,
): Promise<void> {
  if (invitation === undefined) return audit(tx, { action: 'OPERATOR_CREATED', resourceId, after });
  const expiresAt = instantText(invitation.expiresAt);
  return audit(tx, { action: 'OPERATOR_INVITED', resourceId, after: { ...after, expiresAt } });
}
