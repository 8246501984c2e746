//! Lists the requests of the last days, newest first: GET /request-log.
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { type LoggedRequest, listRequestRows, type RequestFilter } from './logged-request.ts';

export async function listRequests(
  app: Transactor,
  call: Call,
  query: PageQuery & RequestFilter,
): Promise<Page<LoggedRequest>> {
  return read(app, call, async (tx) =>
    pageOf(query, (after, count) => listRequestRows(tx, query, after, count)),
  );
}
