//! Resolves an exception: POST /reconciliation/exceptions/{id}/resolve. The books are never
//! overwritten: a correction is posted, with its actor and its reason.
import { refuse } from '@holdfast/contract/errors';
import { canMove } from '@holdfast/contract/machine';
import { exceptionMachine } from '@holdfast/contract/machines/exception-machine';
import { refuseField } from '@holdfast/contract/validation';
import type { ExceptionId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import { findUser } from '../../accounts/users/user.ts';
import { creditDepositsOf } from '../../payments/deposits/address-deposits.ts';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor, type Tx, transact } from '../../platform/database/transact.ts';
import type { LedgerNetwork } from '../../providers/network/ledger-network.ts';
import { minorOf, readSignedStroops, stroopsText } from '../../providers/network/stroops.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { absolute, actionsFor, isPosting, namesUser } from '../comparison/finding.ts';
import { lockPayment, refuseBookedSince } from './booked-since.ts';
import {
  type Exception,
  findException,
  postException,
  type ResolutionInput,
  resolveRow,
} from './exception.ts';
import { getException } from './read-reconciliation.ts';
import { recheckException } from './recheck-exception.ts';
import { checkUnconfirmed, resolveUnconfirmed } from './unconfirmed-payments.ts';

export interface ExceptionResolver extends Transactor {
  readonly network: LedgerNetwork | undefined;
}

export async function resolveException(
  app: ExceptionResolver,
  call: Call,
  id: ExceptionId,
  input: ResolutionInput,
): Promise<Exception> {
  // Thrown only after the idempotency key is checked: a repeat returns the stored response.
  const credited = await creditFirst(app, call, id, input).catch((error: Error) => error);
  return transact(app, call, async (tx) => {
    if (credited instanceof Error) throw credited;
    const exception =
      (await findException(tx, id)) ?? refuse('EXCEPTION_NOT_FOUND', { exceptionId: id });
    await lockPayment(tx, exception);
    await check(tx, exception, input);
    return resolve(app, tx, exception, input);
  });
}

/** The posting that would resolve it; undefined where there is none. */
export async function findPosting(
  app: Transactor,
  call: Call,
  id: ExceptionId,
  { action }: ResolutionInput,
): Promise<Money | undefined> {
  const { stroops, currency } = await getException(app, call, id);
  if (!isPosting(action)) return undefined;
  return Money.ofMinor(minorOf(absolute(stroops)).minor, currency);
}

/**
 * Refuses exactly as posting now would. Two operators approve one amount, so they have to name it.
 */
export async function checkPosting(
  app: Transactor,
  call: Call,
  id: ExceptionId,
  input: ResolutionInput,
): Promise<void> {
  const exception = await getException(app, call, id);
  if (input.expectedAmount === undefined)
    refuseField('expectedAmount', 'required', 'expectedAmount is required for a posting');
  await read(app, call, (tx) => check(tx, exception, input));
}

async function check(tx: Tx, exception: Exception, input: ResolutionInput): Promise<void> {
  checkResolution(exception, input);
  checkExpected(exception, input);
  await checkUser(tx, input);
  if (!isPosting(input.action)) return;
  if (exception.cause === 'MONEY_UNCONFIRMED') await checkUnconfirmed(tx, exception, input);
  else await refuseBookedSince(tx, exception);
}

/** The network is read before the transaction; crediting a payment twice credits it once. */
async function creditFirst(
  app: ExceptionResolver,
  call: Call,
  id: ExceptionId,
  input: ResolutionInput,
): Promise<void> {
  const exception = await getException(app, call, id);
  if (exception.cause !== 'LEDGER_PAYMENT_UNBOOKED' || input.action !== 'APPLY_AGAIN') return;
  checkResolution(exception, input);
  const { network } = app;
  const { to } = exception.theirs as { to: string };
  if (network === undefined)
    refuse('SERVICE_UNAVAILABLE', { reason: 'no Stellar network is configured' });
  const credited = await creditDepositsOf({ ...app, network }, to, call.requestId);
  if (credited.kind !== 'done') refuse('PROVIDER_TIMEOUT', { operationId: null });
}

function checkResolution(exception: Exception, { action, userId }: ResolutionInput): void {
  const { id, status, clearing, stroops } = exception;
  const about = { resource: 'ReconciliationException', id, state: status };
  if (!canMove(exceptionMachine, status, 'resolve')) refuse('INVALID_STATE', about);
  const allowed = [...actionsFor(exception)];
  if (!allowed.includes(action)) {
    const message = `This exception does not allow ${action}; allowed actions: ${allowed.join(', ')}.`;
    refuse('INVALID_STATE', { ...about, allowed }, message);
  }
  const isWhole = minorOf(stroops).dust === 0n;
  if (isPosting(action) && (clearing === null || !isWhole))
    refuse('INVALID_STATE', { ...about, reason: 'only whole cents can be posted' });
  if (namesUser(action) !== (userId !== undefined))
    refuseField(
      'userId',
      'conflict',
      'userId is required with CREDIT_USER and CHARGE_USER, and only then',
    );
}

/** A run may have changed the amount since the operator read it: only the amount seen is posted. */
function checkExpected(exception: Exception, { expectedAmount }: ResolutionInput): void {
  const { id, status: state, stroops } = exception;
  if (expectedAmount === undefined || readSignedStroops(expectedAmount) === stroops) return;
  const reason = `the amount is now ${stroopsText(stroops)}, not ${expectedAmount}`;
  refuse('INVALID_STATE', { resource: 'ReconciliationException', id, state, reason });
}

async function checkUser(tx: Tx, { userId }: ResolutionInput): Promise<void> {
  if (userId !== undefined && (await findUser(tx, userId)) === undefined)
    refuse('USER_NOT_FOUND', { userId });
}

async function resolve(
  app: ExceptionResolver,
  tx: Tx,
  exception: Exception,
  input: ResolutionInput,
): Promise<Exception> {
  const { id, status, cause, currency, stroops } = exception;
  const resolved = await resolveRow(tx, id, input);
  if (resolved === undefined)
    return refuse('INVALID_STATE', { resource: 'ReconciliationException', id, state: 'RESOLVED' });
  const { action, reason, userId } = input;
  if (isPosting(action)) {
    if (cause === 'MONEY_UNCONFIRMED') await resolveUnconfirmed(app, tx, exception, input);
    else await postException(tx, id);
  }
  if (action === 'APPLY_AGAIN') await recheckException(tx, exception);
  await audit(tx, {
    action: 'EXCEPTION_RESOLVED',
    resourceId: id,
    before: { status },
    after: { status: 'RESOLVED', action, cause, amount: stroopsText(stroops), currency, userId },
    reason,
  });
  return resolved;
}
