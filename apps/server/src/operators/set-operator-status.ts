//! Disables an operator, or lets one in again: PUT /operators/{id}/status.
import { refuse } from '@holdfast/contract/errors';
import type { OperatorId } from '@holdfast/kernel/ids';
import { audit } from '../audit/audit-entry.ts';
import type { Call } from '../platform/call.ts';
import { type Transactor, transact } from '../platform/transact.ts';
import { findOperator, type Operator, setStatusRow } from './operator.ts';
import { endSessions } from './session.ts';

export async function setOperatorStatus(
  app: Transactor,
  call: Call,
  operatorId: OperatorId,
  status: Operator['status'],
): Promise<Operator> {
  return transact(app, call, async (tx) => {
    const operator =
      (await findOperator(tx, operatorId)) ?? refuse('OPERATOR_NOT_FOUND', { operatorId });
    if (operator.status === status) return operator;
    await setStatusRow(tx, operatorId, status);
    if (status === 'DISABLED') await endSessions(tx, operatorId);
    await audit(tx, {
      action: 'OPERATOR_STATUS_SET',
      resourceId: operatorId,
      before: { status: operator.status },
      after: { status },
    });
    return { ...operator, status };
  });
}
