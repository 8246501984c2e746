//! Lists exceptions that runs found, newest first: GET /reconciliation/exceptions.
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { type Exception, type ExceptionFilter, listExceptionRows } from './exception.ts';

export async function listExceptions(
  app: Transactor,
  call: Call,
  query: PageQuery & ExceptionFilter,
): Promise<Page<Exception>> {
  return read(app, call, async (tx) =>
    pageOf(query, (after, count) => listExceptionRows(tx, query, after, count)),
  );
}
