//! Gets an exception that a run found: GET /reconciliation/exceptions/{id}.
import { refuse } from '@holdfast/contract/errors';
import type { ExceptionId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { type Exception, findException } from './exception.ts';

export async function getException(
  app: Transactor,
  call: Call,
  id: ExceptionId,
): Promise<Exception> {
  const found = await read(app, call, (tx) => findException(tx, id));
  return found ?? refuse('EXCEPTION_NOT_FOUND', { exceptionId: id });
}
