//! Disables or enables an operator: PUT /operators/{id}/status.
import { refuse } from '@holdfast/contract/errors';
import { operatorMachine } from '@holdfast/contract/machines/operator-machine';
import { assert } from '@holdfast/kernel/assert';
import type { OperatorId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Tx, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { revokeKeysOf } from '../keys/revoke-api-key.ts';
import { checkFreshCode } from './check-fresh-code.ts';
import { disableRow, enableRow, findOperator, type Operator } from './operator.ts';
import type { OperatorApp } from './operator-auth.ts';
import { refuseMasterKey } from './refuse-master-key.ts';
import { requireSecondAdmin } from './require-second-admin.ts';
import { endSessions } from './session.ts';

/** Requires a code too: a person who found an open session cannot shut the others out. */
export async function setOperatorStatus(
  app: OperatorApp,
  call: Call,
  operatorId: OperatorId,
  { status, totp }: { readonly status: 'ACTIVE' | 'DISABLED'; readonly totp?: string },
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
    if (status === 'ACTIVE') await enable(tx, operator);
    else await disable(tx, operator);
    await audit(tx, {
      action: 'OPERATOR_STATUS_SET',
      resourceId: operatorId,
      before: { status: operator.status },
      after: { status },
    });
    return { ...operator, status };
  });
}

/** Or else a stolen master key would disable those whose presence binds it. */
async function disable(tx: Tx, { id, isPlatformAdmin }: Operator): Promise<void> {
  if (isPlatformAdmin) await refuseMasterKey(tx);
  assert(await disableRow(tx, id), 'every other status can be disabled');
  await endSessions(tx, id);
  await revokeKeysOf(tx, id);
}

/** Not a way past the confirmation code: only credentials that were activated before work again. */
async function enable(tx: Tx, { id, status: state }: Operator): Promise<void> {
  if (await enableRow(tx, id)) return requireSecondAdmin(tx);
  const allowed = [...operatorMachine.moves.enable.from];
  const reason = 'there are no credentials: reset the operator to invite the person again';
  refuse('INVALID_STATE', { resource: 'operator', id, state, allowed, reason });
}
