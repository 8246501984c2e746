//! Activates an operator who has enrolled: POST /operators/{id}/activate. The caller
//! has the confirmation code from the person, and so knows whose credentials these are.
import { refuse } from '@holdfast/contract/errors';
import { CONFIRMATION_TRIES_MAX } from '@holdfast/contract/limits';
import { canMove, moveSources } from '@holdfast/contract/machine';
import { operatorMachine } from '@holdfast/contract/machines/operator-machine';
import { assert } from '@holdfast/kernel/assert';
import type { OperatorId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { read, type Tx, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { delayApprovals, refuseNewApprover } from '../operators/approval-delay.ts';
import { checkFreshCode, type TakeCode } from '../operators/check-fresh-code.ts';
import {
  activateRow,
  deleteCredentials,
  findOperator,
  type Operator,
} from '../operators/operator.ts';
import type { OperatorApp } from '../operators/operator-auth.ts';
import { refuseMasterKey } from '../operators/refuse-master-key.ts';
import { isConfirmationCode } from './confirmation-code.ts';
import { countWrongConfirmation, type EnrolledCredentials, findEnrolled } from './invitation.ts';

export interface Activation {
  /** The confirmation code. */
  readonly code: string;
  /** A code of the calling operator; the master key has none. */
  readonly totp?: string;
}

export async function activateOperator(
  app: OperatorApp,
  call: Call,
  operatorId: OperatorId,
  { code, totp }: Activation,
): Promise<Operator> {
  const takeCode = await checkFreshCode(app, call, {
    totp,
    action: 'activateOperator',
    request: { operatorId, code },
  });
  const enrolled = await read(app, call, (tx) => findEnrolled(tx, operatorId));
  if (enrolled === undefined || !(await isRight(app, enrolled, code)))
    return refuseActivation(app, call, operatorId, takeCode);
  return transact(app, call, async (tx) => {
    await takeCode(tx);
    const operator = await loadForActivation(tx, operatorId);
    if (!(await activateRow(tx, operatorId, enrolled.passwordHash))) refuseState(operator);
    // The master key activates the first operators, and those of a deployment that has lost its
    // platform admins: there is no second admin who could use the time to intervene.
    if (tx.actor.kind !== 'master') await delayApprovals(tx, operatorId);
    await audit(tx, { action: 'OPERATOR_ACTIVATED', resourceId: operatorId });
    const after = await findOperator(tx, operatorId);
    assert(after !== undefined, 'operators are never removed');
    return after;
  });
}

async function isRight(
  { operators }: OperatorApp,
  { id, passwordHash, totp, salt }: EnrolledCredentials,
  code: string,
): Promise<boolean> {
  const totpSecret = await operators.openTotp(totp, id);
  return isConfirmationCode({ id, passwordHash, totpSecret, salt }, code);
}

/** Not by the admin who invited or reset the operator: alone, none creates a second approver. */
async function loadForActivation(tx: Tx, operatorId: OperatorId): Promise<Operator> {
  await refuseMasterKey(tx);
  await refuseNewApprover(tx);
  const operator =
    (await findOperator(tx, operatorId)) ?? refuse('OPERATOR_NOT_FOUND', { operatorId });
  if (!canMove(operatorMachine, operator.status, 'activate')) refuseState(operator);
  const { actor } = tx;
  if (actor.kind === 'person' && operator.invitedBy === actor.id)
    refuse(
      'SECOND_APPROVER_REQUIRED',
      { requestedBy: actor.id },
      'You invited or reset this operator: another platform admin has to activate them.',
    );
  return operator;
}

/** Counts a wrong code, in a transaction of its own that the refusal does not roll back. */
async function refuseActivation(
  app: OperatorApp,
  call: Call,
  operatorId: OperatorId,
  takeCode: TakeCode,
): Promise<never> {
  const alone = { ...call, idempotency: undefined };
  const attemptsLeft = await transact(app, alone, async (tx) => {
    await takeCode(tx);
    await loadForActivation(tx, operatorId);
    const left = CONFIRMATION_TRIES_MAX - (await countWrongConfirmation(tx, operatorId));
    if (left <= 0) await deleteCredentials(tx, operatorId, 'void');
    const after = { attemptsLeft: left };
    const refused = { action: 'ACTIVATION_REFUSED', resourceId: operatorId, after } as const;
    await audit(tx, { ...refused, result: 'FAILURE' });
    return left;
  });
  return refuse('CONFIRMATION_CODE_INVALID', { attemptsLeft });
}

function refuseState({ id, status: state }: Operator): never {
  const allowed = [...moveSources(operatorMachine, 'activate')];
  return refuse('INVALID_STATE', { resource: 'operator', id, state, allowed });
}
