//! Response views of keys and marketplaces. A secret is returned once, under both of its names.
import type {
  ApiKeyView,
  MarketplaceStopView,
  MarketplaceTermsView,
  MarketplaceView,
  NewApiKeyView,
  TreasuryShareView,
} from '@holdfast/contract/records';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { ApiKeyId, MarketplaceId } from '@holdfast/kernel/ids';
import { minorText } from '@holdfast/kernel/money';
import { networkText } from './wallet.view.ts';

interface ApiKey {
  readonly id: ApiKeyId;
  readonly name: string;
  readonly scopes: readonly ApiKeyView['scopes'][number][];
  readonly marketplaceId: MarketplaceId;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly revokedAt: Instant | null;
  readonly lastUsedAt: Instant | null;
  readonly rotatedFrom: ApiKeyId | null;
  readonly requestsPerMinute: number | null;
  readonly operators: Required<Pick<ApiKeyView, 'createdBy' | 'approvedBy'>> | null;
  readonly hasSecret: boolean;
}

interface Marketplace {
  readonly id: MarketplaceId;
  readonly name: string;
  readonly createdAt: Instant;
  readonly limits: Readonly<Record<string, string | null>> | null;
}

export function apiKeyView(key: ApiKey): ApiKeyView {
  return {
    id: key.id,
    name: key.name,
    scopes: [...key.scopes],
    marketplaceId: key.marketplaceId,
    createdAt: instantText(key.createdAt),
    expiresAt: instantText(key.expiresAt),
    revokedAt: instantText(key.revokedAt),
    lastUsedAt: instantText(key.lastUsedAt),
    ...(key.rotatedFrom === null ? {} : { rotatedFrom: key.rotatedFrom }),
    ...(key.requestsPerMinute === null ? {} : { requestsPerMinute: key.requestsPerMinute }),
    ...(key.operators === null ? {} : { ...key.operators, hasSecret: key.hasSecret }),
  };
}

export function newApiKeyView({ key, secret }: { key: ApiKey; secret?: string }): NewApiKeyView {
  return { ...apiKeyView(key), ...(secret !== undefined && { key: secret, api_key: secret }) };
}

export function marketplaceView(marketplace: Marketplace): MarketplaceView {
  const limits = Object.entries(marketplace.limits ?? {}).map(([currency, minor]) => [
    currency,
    minor === null ? null : minorText(BigInt(minor)),
  ]);
  return {
    id: marketplace.id,
    name: marketplace.name,
    createdAt: instantText(marketplace.createdAt),
    adjustmentLimit: limits.length === 0 ? null : Object.fromEntries(limits),
  };
}

interface MarketplaceStop
  extends Omit<MarketplaceStopView, 'stoppedAt' | 'settledAt' | 'liftedAt'> {
  readonly stoppedAt: Instant;
  readonly settledAt: Instant | null;
  readonly liftedAt: Instant | null;
}

export function stopView(stop: MarketplaceStop): MarketplaceStopView {
  return {
    marketplaceId: stop.marketplaceId,
    level: stop.level,
    reason: stop.reason,
    stoppedBy: stop.stoppedBy,
    stoppedAt: instantText(stop.stoppedAt),
    settledAt: instantText(stop.settledAt),
    liftedBy: stop.liftedBy,
    liftReason: stop.liftReason,
    liftedAt: instantText(stop.liftedAt),
  };
}

interface MarketplaceTerms extends Omit<MarketplaceTermsView, 'setAt' | 'debtLimit'> {
  readonly debtLimit: bigint;
  readonly setAt: Instant | null;
}

export function termsView(terms: MarketplaceTerms): MarketplaceTermsView {
  const { marketplaceId, version, payinFee, suspendOnReversal, reason, setBy } = terms;
  const [debtLimit, setAt] = [minorText(terms.debtLimit), instantText(terms.setAt)];
  return { marketplaceId, version, payinFee, suspendOnReversal, debtLimit, reason, setBy, setAt };
}

interface TreasuryShare {
  readonly marketplaceId: MarketplaceId;
  readonly asset: TreasuryShareView['asset'];
  readonly funded: bigint | null;
  readonly drawn: bigint;
}

export function treasuryShareView(share: TreasuryShare): TreasuryShareView {
  const { marketplaceId, asset, funded, drawn } = share;
  return {
    marketplaceId,
    asset,
    funded: funded === null ? null : networkText(funded),
    drawn: networkText(drawn),
  };
}
