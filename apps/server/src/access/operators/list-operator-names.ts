//! Lists the names of current and former operators of a marketplace, and of platform admins:
//! GET /operators/names.
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { listNameRows, type OperatorName } from './operator.ts';

export async function listOperatorNames(
  app: Transactor,
  call: Call,
  query: PageQuery,
): Promise<Page<OperatorName>> {
  return read(app, call, (tx) => pageOf(query, (after, count) => listNameRows(tx, after, count)));
}
