//! Disables or enables an operator: PUT /operators/{id}/status.
import { refuse } from '@holdfast/contract/errors';
import type { OperatorId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { revokeKeysOf } from '../keys/revoke-api-key.ts';
import { checkFreshCode } from './check-fresh-code.ts';
import { findOperator, type Operator, setStatusRow } from './operator.ts';
import type { OperatorApp } from './operator-auth.ts';
import { requireSecondAdmin } from './require-second-admin.ts';
import { endSessions } from './session.ts';

/** Requires a code too: a person who found an open session cannot shut the others out. */
export async function setOperatorStatus(
  app: OperatorApp,
  call: Call,
  operatorId: OperatorId,
  { status, totp }: { readonly status: Operator['status']; readonly totp?: string },
): Promise<Operator> {
  const takeCode = await checkFreshCode(app, call, {
    totp,
    action: 'setOperatorStatus',
    request: { operatorId, status },
  });
  return transact(app, call, async (tx) => {
    await takeCode(tx);
    const operator =
      (await findOperator(tx, operatorId)) ?? refuse('OPERATOR_NOT_FOUND', { operatorId });
    if (operator.status === status) return operator;
    if (status === 'ACTIVE') await requireSecondAdmin(tx);
    await setStatusRow(tx, operatorId, status);
    if (status === 'DISABLED') {
      await endSessions(tx, operatorId);
      await revokeKeysOf(tx, operatorId);
    }
    await audit(tx, {
      action: 'OPERATOR_STATUS_SET',
      resourceId: operatorId,
      before: { status: operator.status },
      after: { status },
    });
    return { ...operator, status };
  });
}
