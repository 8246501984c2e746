//! Lists operators, newest first: GET /operators.
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { listOperatorRows, type Operator } from './operator.ts';

export async function listOperators(
  app: Transactor,
  call: Call,
  query: PageQuery,
): Promise<Page<Operator>> {
  return read(app, call, (tx) =>
    pageOf(query, (after, count) => listOperatorRows(tx, after, count)),
  );
}
