//! Lists keys, newest first; an ordinary key sees its own marketplace's: GET /auth/api-keys.
import type { Call } from '../../platform/call.ts';
import type { CreatedFilter } from '../../platform/database/id-range.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { type ApiKey, listApiKeyRows } from './api-key.ts';

export async function listApiKeys(
  app: Transactor,
  call: Call,
  query: PageQuery & CreatedFilter,
): Promise<Page<ApiKey>> {
  return read(app, call, async (tx) =>
    pageOf(query, (after, count) => listApiKeyRows(tx, query, after, count)),
  );
}
