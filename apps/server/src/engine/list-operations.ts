//! Lists operations, newest first: GET /operations.
import type { Call } from '../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../platform/database/page.ts';
import { read, type Transactor } from '../platform/database/transact.ts';
import { detailOf, type OperationDetail } from './get-operation.ts';
import { findOperations, listOperationIds, type OperationFilter } from './operation-list.ts';
import { listStepsOf } from './operation-step.ts';

export async function listOperations(
  app: Transactor,
  call: Call,
  query: PageQuery & OperationFilter,
): Promise<Page<OperationDetail>> {
  return read(app, call, async (tx) => {
    const page = await pageOf(query, (after, count) => listOperationIds(tx, query, after, count));
    const ids = page.items.map(({ id }) => id);
    const steps = await listStepsOf(tx, ids);
    const items = (await findOperations(tx, ids)).map((operation) =>
      detailOf(tx, operation, steps.get(operation.id) ?? []),
    );
    return { ...page, items };
  });
}
