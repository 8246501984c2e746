//! Lists all marketplaces of this cell, or gets one: GET /marketplaces, GET /marketplaces/{id}.
import { refuse } from '@holdfast/contract/errors';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { findMarketplace, listMarketplaceRows, type Marketplace } from '../keys/api-key.ts';

export async function listMarketplaces(
  app: Transactor,
  call: Call,
  query: PageQuery,
): Promise<Page<Marketplace>> {
  return read(app, call, async (tx) =>
    pageOf(query, (after, count) => listMarketplaceRows(tx, after, count)),
  );
}

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
