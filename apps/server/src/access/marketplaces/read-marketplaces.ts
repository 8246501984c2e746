//! Reads marketplaces.
import { refuse } from '@holdfast/contract/errors';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import type { CreatedFilter } from '../../platform/database/id-range.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { findMarketplace, listMarketplaceRows, type Marketplace } from '../keys/api-key.ts';

/** GET /marketplaces: all of this cell. */
export async function listMarketplaces(
  app: Transactor,
  call: Call,
  query: PageQuery & CreatedFilter,
): Promise<Page<Marketplace>> {
  return read(app, call, async (tx) =>
    pageOf(query, (after, count) => listMarketplaceRows(tx, query, after, count)),
  );
}

/** GET /marketplaces/{id}. */
export async function getMarketplace(
  app: Transactor,
  call: Call,
  marketplaceId: MarketplaceId,
): Promise<Marketplace> {
  return read(
    app,
    call,
    async (tx) =>
      (await findMarketplace(tx, marketplaceId)) ??
      refuse('MARKETPLACE_NOT_FOUND', { marketplaceId }),
  );
}
