//! Lists the stops of a marketplace: GET /marketplaces/{id}/stops.
import { STOP_LEVELS } from '@holdfast/contract/enums';
import { refuse } from '@holdfast/contract/errors';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { findMarketplace } from '../keys/api-key.ts';
import { listStopRows, type MarketplaceStop } from './marketplace-stop.ts';

export interface Stops {
  readonly standing: readonly MarketplaceStop[];
  readonly lifted: readonly MarketplaceStop[];
}

const LIFTED_MAX = 20;

export async function listStops(
  app: Transactor,
  call: Call,
  marketplaceId: MarketplaceId,
): Promise<Stops> {
  return read(app, call, async (tx) => {
    const found =
      (await findMarketplace(tx, marketplaceId)) ??
      refuse('MARKETPLACE_NOT_FOUND', { marketplaceId });
    return {
      standing: await listStopRows(tx, found.number, false, STOP_LEVELS.length),
      lifted: await listStopRows(tx, found.number, true, LIFTED_MAX),
    };
  });
}
