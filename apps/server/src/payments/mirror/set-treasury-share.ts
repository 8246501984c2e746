//! Sets how much of the treasury a marketplace's addresses may hold: PUT
//! /marketplaces/{id}/treasury-share.
import { refuse } from '@holdfast/contract/errors';
import { refuseField } from '@holdfast/contract/validation';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import { findMarketplace } from '../../access/keys/api-key.ts';
import type { Call } from '../../platform/call.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { stroopsOf, stroopsText } from '../../providers/network/stroops.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { findShare, type Share, setShare } from './treasury-share.ts';
import type { Asset } from './wallet-mirror.ts';

export interface ShareInput {
  readonly asset: Asset;
  /** Null removes the limit; "0.00" lets nothing be sent. */
  readonly funded: string | null;
}

export interface MarketplaceShare {
  readonly marketplaceId: MarketplaceId;
  readonly asset: Asset;
  readonly funded: bigint | null;
  readonly drawn: bigint;
}

export async function setTreasuryShare(
  app: Transactor,
  call: Call,
  marketplaceId: MarketplaceId,
  input: ShareInput,
): Promise<MarketplaceShare> {
  const { asset } = input;
  const funded = readFunded(input);
  return transact(app, call, async (tx) => {
    const found =
      (await findMarketplace(tx, marketplaceId)) ??
      refuse('MARKETPLACE_NOT_FOUND', { marketplaceId });
    const before = await findShare(tx, found.number, asset);
    await setShare(tx, found.number, asset, funded);
    await audit(tx, {
      action: 'TREASURY_SHARE_SET',
      resourceId: found.id,
      marketplace: found.number,
      before: { asset, funded: fundedText(before.funded) },
      after: { asset, funded: fundedText(funded) },
    });
    return { marketplaceId, asset, funded, drawn: before.drawn };
  });
}

/** Undefined where nothing was set: the configured default applies. */
function fundedText(funded: Share['funded']): string | null | undefined {
  return funded === null || funded === undefined ? funded : stroopsText(funded);
}

function readFunded({ asset, funded }: ShareInput): bigint | null {
  if (funded === null) return null;
  const money = Money.readOrZero(funded, asset);
  if (money === undefined) refuseField('funded', 'format', 'funded must be an amount or null');
  return stroopsOf(money);
}
