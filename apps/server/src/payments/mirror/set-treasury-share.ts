//! Sets how much of the treasury a marketplace's addresses may hold: PUT
//! /marketplaces/{id}/treasury-share.
import { refuse } from '@holdfast/contract/errors';
import { refuseField } from '@holdfast/contract/validation';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import { findMarketplace } from '../../access/keys/api-key.ts';
import { checkFreshCode } from '../../access/operators/check-fresh-code.ts';
import type { OperatorApp } from '../../access/operators/operator-auth.ts';
import { requireSecondAdminForMore } from '../../access/operators/require-second-admin.ts';
import type { Call } from '../../platform/call.ts';
import { transact } from '../../platform/database/transact.ts';
import { stroopsOf, stroopsText } from '../../providers/network/stroops.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import {
  defaultShare,
  findShare,
  type Share,
  type ShareSettings,
  setShare,
} from './treasury-share.ts';
import type { Asset } from './wallet-mirror.ts';

export interface ShareInput {
  readonly asset: Asset;
  /** Null removes the limit; "0.00" lets nothing be sent. */
  readonly funded: string | null;
  /** A code of the calling operator; the master key has none. */
  readonly totp?: string;
}

export interface ShareSetter extends OperatorApp, ShareSettings {
  readonly environment: string;
}

export interface MarketplaceShare {
  readonly marketplaceId: MarketplaceId;
  readonly asset: Asset;
  readonly funded: bigint | null;
  readonly drawn: bigint;
}

export async function setTreasuryShare(
  app: ShareSetter,
  call: Call,
  marketplaceId: MarketplaceId,
  input: ShareInput,
): Promise<MarketplaceShare> {
  const { asset } = input;
  const funded = readFunded(app, input);
  const takeCode = await checkFreshCode(app, call, {
    totp: input.totp,
    action: 'setTreasuryShare',
    request: { marketplaceId, asset, funded: input.funded },
  });
  return transact(app, call, async (tx) => {
    await takeCode(tx);
    const found =
      (await findMarketplace(tx, marketplaceId)) ??
      refuse('MARKETPLACE_NOT_FOUND', { marketplaceId });
    const before = await findShare(tx, found.number, asset);
    const fundedBefore = before.funded === undefined ? defaultShare(app) : before.funded;
    await requireSecondAdminForMore(tx, fundedBefore, funded);
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

function readFunded({ environment }: ShareSetter, { asset, funded }: ShareInput): bigint | null {
  if (funded === null && environment === 'production')
    refuseField('funded', 'format', 'funded must be an amount in production');
  if (funded === null) return null;
  const money = Money.readOrZero(funded, asset);
  if (money === undefined) refuseField('funded', 'format', 'funded must be an amount or null');
  return stroopsOf(money);
}
