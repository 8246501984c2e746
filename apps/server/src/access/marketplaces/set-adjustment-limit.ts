//! Sets how much a marketplace may credit its users: PUT /marketplaces/{id}/adjustment-limit.
import { refuse } from '@holdfast/contract/errors';
import { refuseField } from '@holdfast/contract/validation';
import type { Currency } from '@holdfast/kernel/currency';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { Money, minorText } from '@holdfast/kernel/money';
import type { Call } from '../../platform/call.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { findMarketplace, type Marketplace, setLimitRow } from '../keys/api-key.ts';

export interface AdjustmentLimit {
  readonly currency: Currency;
  /** Null lifts the limit; "0.00" forbids credits beyond debits. */
  readonly limit: string | null;
}

export async function setAdjustmentLimit(
  app: Transactor,
  call: Call,
  marketplaceId: MarketplaceId,
  input: AdjustmentLimit,
): Promise<Marketplace> {
  const limit = readLimit(input);
  return transact(app, call, async (tx) => {
    const found =
      (await findMarketplace(tx, marketplaceId)) ??
      refuse('MARKETPLACE_NOT_FOUND', { marketplaceId });
    await setLimitRow(tx, found.number, input.currency, limit);
    await audit(tx, {
      action: 'ADJUSTMENT_LIMIT_SET',
      resourceId: found.id,
      marketplace: found.number,
      before: { currency: input.currency, limit: limitText(found.limits?.[input.currency]) },
      after: { currency: input.currency, limit: limitText(limit) },
    });
    return {
      ...found,
      limits: { ...found.limits, [input.currency]: limit === null ? null : String(limit) },
    };
  });
}

/** Undefined where no limit was set: the default of the setting applies. */
function limitText(minor: string | bigint | null | undefined): string | null | undefined {
  return minor === null || minor === undefined ? minor : minorText(BigInt(minor));
}

function readLimit({ currency, limit }: AdjustmentLimit): bigint | null {
  if (limit === null) return null;
  const money = Money.readOrZero(limit, currency);
  if (money === undefined) refuseField('limit', 'format', 'limit must be an amount or null');
  return money.minor;
}
