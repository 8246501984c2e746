//! Deletes the credentials of an operator and invites them again: POST /operators/{id}/reset. For a
//! lost phone, a forgotten password, and an invitation that was lost or misused.
import { refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import { instantText } from '@holdfast/kernel/clock';
import type { OperatorId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { revokeKeysOf } from '../keys/revoke-api-key.ts';
import { checkFreshCode } from '../operators/check-fresh-code.ts';
import { deleteCredentials, findOperator } from '../operators/operator.ts';
import type { OperatorApp } from '../operators/operator-auth.ts';
import { refuseMasterKey } from '../operators/refuse-master-key.ts';
import { endSessions } from '../operators/session.ts';
import type { IssuedOperator } from './create-operator.ts';
import { insertInvitation } from './invitation.ts';

/**
 * Sessions and keys end, as when the operator is disabled. The caller gets a link and no
 * credentials, and cannot activate the ones that are set with it.
 */
export async function resetOperator(
  app: OperatorApp,
  call: Call,
  operatorId: OperatorId,
  code: string | undefined,
): Promise<IssuedOperator> {
  const takeCode = await checkFreshCode(app, call, {
    totp: code,
    action: 'resetOperator',
    request: { operatorId },
  });
  return transact(app, call, async (tx) => {
    await takeCode(tx);
    await refuseMasterKey(tx);
    const before =
      (await findOperator(tx, operatorId)) ?? refuse('OPERATOR_NOT_FOUND', { operatorId });
    assert(await deleteCredentials(tx, operatorId, 'reset'), 'every status can be reset');
    await endSessions(tx, operatorId);
    await revokeKeysOf(tx, operatorId);
    const invitation = await insertInvitation(app, tx, operatorId);
    await audit(tx, {
      action: 'OPERATOR_RESET',
      resourceId: operatorId,
      before: { status: before.status },
      after: { expiresAt: instantText(invitation.expiresAt) },
    });
    const operator = await findOperator(tx, operatorId);
    assert(operator !== undefined, 'operators are never removed');
    return { operator, invitation };
  });
}
