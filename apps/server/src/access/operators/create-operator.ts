//! Creates an operator: POST /operators.

import { refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import { encodeBase32 } from '@holdfast/kernel/base32';
import { newId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { checkFreshCode } from './check-fresh-code.ts';
import { findOperator, insertOperator, type Membership, type Operator } from './operator.ts';
import type { OperatorApp } from './operator-auth.ts';
import { refuseMasterKey } from './refuse-master-key.ts';
import { writeMemberships } from './set-memberships.ts';
import { newTotpSecret, totpUri } from './totp.ts';

export interface NewOperator {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly isPlatformAdmin?: boolean;
  readonly memberships?: readonly Membership[];
  /** A code of the calling operator; the master key has none. */
  readonly totp?: string;
}

/** An operator together with the secret, which is returned once. */
export interface IssuedOperator {
  readonly operator: Operator;
  readonly totpSecret: string;
  readonly totpUri: string;
}

export async function createOperator(
  app: OperatorApp,
  call: Call,
  input: NewOperator,
): Promise<IssuedOperator> {
  const { email, name, password, isPlatformAdmin = false, memberships = [] } = input;
  app.operators.passwords.checkNew('password', password);
  const takeCode = await checkFreshCode(app, call, {
    totp: input.totp,
    action: 'createOperator',
    request: { email, name, isPlatformAdmin, memberships },
  });
  const id = newId('opr', app.clock.now());
  const secret = newTotpSecret();
  const totp = await app.operators.sealTotp(secret, id);
  // The caller is known: not one of those who only try to sign in.
  const queue = { line: 'known-operator', from: call.actor.id } as const;
  const passwordHash = await app.operators.passwords.withHasher(queue, (hasher) =>
    hasher.hash(password),
  );
  return transact(app, call, async (tx) => {
    await takeCode(tx);
    await refuseMasterKey(tx);
    const created = { id, email, name, passwordHash, totp, isPlatformAdmin };
    if (!(await insertOperator(tx, created))) refuse('OPERATOR_EXISTS', {});
    await audit(tx, {
      action: 'OPERATOR_CREATED',
      resourceId: id,
      after: { email, name, isPlatformAdmin },
    });
    if (memberships.length > 0) await writeMemberships(tx, id, memberships);
    const operator = await findOperator(tx, id);
    assert(operator !== undefined, 'the row that this transaction wrote exists');
    return { operator, totpSecret: encodeBase32(secret), totpUri: totpUri(secret, email) };
  });
}
