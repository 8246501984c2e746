//! Sets how much a marketplace may credit its users: PUT /marketplaces/{id}/adjustment-limit.
import { refuse } from '@holdfast/contract/errors';
import { refuseField } from '@holdfast/contract/validation';
import type { Currency } from '@holdfast/kernel/currency';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { Money, minorText } from '@holdfast/kernel/money';
import type { Call } from '../../platform/call.ts';
import { transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { findMarketplace, type Marketplace, setLimitRow } from '../keys/api-key.ts';
import { checkFreshCode } from '../operators/check-fresh-code.ts';
import type { OperatorApp } from '../operators/operator-auth.ts';
import { requireSecondAdminForMore } from '../operators/require-second-admin.ts';

export interface AdjustmentLimit {
  readonly currency: Currency;
  /** Null lifts the limit; "0.00" forbids credits beyond debits. */
  readonly limit: string | null;
  /** A code of the calling operator; the master key has none. */
  readonly totp?: string;
}

export interface LimitSetter extends OperatorApp {
  readonly environment: string;
  readonly config: { readonly HOLDFAST_ADJUSTMENT_LIMIT?: bigint | null | undefined };
}

export async function setAdjustmentLimit(
  app: LimitSetter,
  call: Call,
  marketplaceId: MarketplaceId,
  input: AdjustmentLimit,
): Promise<Marketplace> {
  const limit = readLimit(app, input);
  const { currency } = input;
  const takeCode = await checkFreshCode(app, call, {
    totp: input.totp,
    action: 'setAdjustmentLimit',
    request: { marketplaceId, currency, limit: input.limit },
  });
  return transact(app, call, async (tx) => {
    await takeCode(tx);
    const found =
      (await findMarketplace(tx, marketplaceId)) ??
      refuse('MARKETPLACE_NOT_FOUND', { marketplaceId });
    await requireSecondAdminForMore(tx, limitBefore(app, found, currency), limit);
    await setLimitRow(tx, found.number, currency, limit);
    await audit(tx, {
      action: 'ADJUSTMENT_LIMIT_SET',
      resourceId: found.id,
      marketplace: found.number,
      before: { currency, limit: limitText(found.limits?.[currency]) },
      after: { currency, limit: limitText(limit) },
    });
    return {
      ...found,
      limits: { ...found.limits, [currency]: limit === null ? null : String(limit) },
    };
  });
}

/** The default of the setting, where no limit was set. */
function limitBefore(
  { config }: LimitSetter,
  { limits }: Marketplace,
  currency: Currency,
): bigint | null {
  const set = limits?.[currency];
  if (set === undefined) return config.HOLDFAST_ADJUSTMENT_LIMIT ?? null;
  return set === null ? null : BigInt(set);
}

/** Undefined where no limit was set: the default of the setting applies. */
function limitText(minor: string | bigint | null | undefined): string | null | undefined {
  return minor === null || minor === undefined ? minor : minorText(BigInt(minor));
}

function readLimit({ environment }: LimitSetter, input: AdjustmentLimit): bigint | null {
  const { currency, limit } = input;
  if (limit === null && environment === 'production')
    refuseField('limit', 'format', 'limit must be an amount in production');
  if (limit === null) return null;
  const money = Money.readOrZero(limit, currency);
  if (money === undefined) refuseField('limit', 'format', 'limit must be an amount or null');
  return money.minor;
}
