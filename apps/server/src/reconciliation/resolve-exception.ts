//! Deals with an exception: POST /reconciliation/exceptions/{id}/resolve. Books are never
//! overwritten: what has to change is posted, with who and why.
import { refuse } from '@holdfast/contract/errors';
import { exceptionMachine } from '@holdfast/contract/exception-machine';
import { canMove } from '@holdfast/contract/machine';
import type { ExceptionId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import { audit } from '../audit/audit-entry.ts';
import { creditDepositsOf } from '../deposits/look-at-address.ts';
import type { Call } from '../platform/call.ts';
import { read, type Transactor, type Tx, transact } from '../platform/transact.ts';
import type { LedgerNetwork } from '../providers/ledger-network.ts';
import { minorOf, readSignedStroops, stroopsText } from '../providers/stroops.ts';
import { findUser } from '../users/user.ts';
import {
  type Exception,
  findException,
  postException,
  type ResolutionWish,
  resolveRow,
} from './exception.ts';
import { absolute, actionsFor, isPosting } from './finding.ts';
import { getException } from './get-exception.ts';
import { lookAgain } from './look-again.ts';

export interface ExceptionResolver extends Transactor {
  readonly network: LedgerNetwork | undefined;
}

export async function resolveException(
  app: ExceptionResolver,
  call: Call,
  id: ExceptionId,
  wish: ResolutionWish,
): Promise<Exception> {
  // Said only after the key was looked at, as a repeat asks nobody.
  const credited = await creditFirst(app, call, id, wish).catch((error: Error) => error);
  return transact(app, call, async (tx) => {
    if (credited instanceof Error) throw credited;
    const exception =
      (await findException(tx, id)) ?? refuse('EXCEPTION_NOT_FOUND', { exceptionId: id });
    await check(tx, exception, wish);
    return resolve(tx, exception, wish);
  });
}

/** What it would post; undefined where that is nothing. */
export async function findPosting(
  app: Transactor,
  call: Call,
  id: ExceptionId,
  { action }: ResolutionWish,
): Promise<Money | undefined> {
  const { stroops, currency } = await getException(app, call, id);
  if (!isPosting(action)) return undefined;
  return Money.ofMinor(minorOf(absolute(stroops)).minor, currency);
}

/** Refuses as posting it now would. Two people agree to one amount, so they have to name it. */
export async function checkPosting(
  app: Transactor,
  call: Call,
  id: ExceptionId,
  wish: ResolutionWish,
): Promise<void> {
  const exception = await getException(app, call, id);
  if (wish.expectedAmount === undefined)
    refuse('VALIDATION_ERROR', { validationErrors: ['expectedAmount is needed for a posting'] });
  await read(app, call, (tx) => check(tx, exception, wish));
}

async function check(tx: Tx, exception: Exception, wish: ResolutionWish): Promise<void> {
  checkResolution(exception, wish);
  checkExpected(exception, wish);
  await checkUser(tx, wish);
}

/** The network is asked before the transaction; crediting a payment twice credits it once. */
async function creditFirst(
  app: ExceptionResolver,
  call: Call,
  id: ExceptionId,
  wish: ResolutionWish,
): Promise<void> {
  const exception = await getException(app, call, id);
  if (exception.cause !== 'LEDGER_PAYMENT_UNBOOKED' || wish.action !== 'APPLY_AGAIN') return;
  checkResolution(exception, wish);
  const { network } = app;
  const { to } = exception.theirs as { to: string };
  if (network === undefined) refuse('SERVICE_UNAVAILABLE', { reason: 'there is no network' });
  const credited = await creditDepositsOf({ ...app, network }, to, call.requestId);
  if (credited.kind !== 'done') refuse('PROVIDER_TIMEOUT', { operationId: null });
}

function checkResolution(exception: Exception, { action, userId }: ResolutionWish): void {
  const { id, status, clearing, stroops } = exception;
  const about = { resource: 'ReconciliationException', id, state: status };
  if (!canMove(exceptionMachine, status, 'resolve')) refuse('INVALID_STATE', about);
  const allowed = [...actionsFor(exception)];
  if (!allowed.includes(action)) refuse('INVALID_STATE', { ...about, allowed });
  const isWhole = minorOf(stroops).dust === 0n;
  if (isPosting(action) && (clearing === null || !isWhole))
    refuse('INVALID_STATE', { ...about, reason: 'only whole cents can be posted' });
  if ((action === 'CREDIT_USER') !== (userId !== undefined))
    refuse('VALIDATION_ERROR', { validationErrors: ['userId goes with CREDIT_USER'] });
}

/** A run may have found more or less since somebody looked: what is posted is what was seen. */
function checkExpected(exception: Exception, { expectedAmount }: ResolutionWish): void {
  const { id, status: state, stroops } = exception;
  if (expectedAmount === undefined || readSignedStroops(expectedAmount) === stroops) return;
  const reason = `it is about ${stroopsText(stroops)} by now, not ${expectedAmount}`;
  refuse('INVALID_STATE', { resource: 'ReconciliationException', id, state, reason });
}

async function checkUser(tx: Tx, { userId }: ResolutionWish): Promise<void> {
  if (userId !== undefined && (await findUser(tx, userId)) === undefined)
    refuse('USER_NOT_FOUND', { userId });
}

async function resolve(tx: Tx, exception: Exception, wish: ResolutionWish): Promise<Exception> {
  const { id, status, cause, currency, stroops } = exception;
  const resolved = await resolveRow(tx, id, wish);
  if (resolved === undefined)
    return refuse('INVALID_STATE', { resource: 'ReconciliationException', id, state: 'RESOLVED' });
  const { action, reason, userId } = wish;
  if (isPosting(action)) await postException(tx, id);
  if (action === 'APPLY_AGAIN') await lookAgain(tx, exception);
  await audit(tx, {
    action: 'EXCEPTION_RESOLVED',
    resourceId: id,
    before: { status },
    after: { status: 'RESOLVED', action, cause, amount: stroopsText(stroops), currency, userId },
    reason,
  });
  return resolved;
}
