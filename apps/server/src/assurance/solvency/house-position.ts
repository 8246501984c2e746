//! The house's booked balances at the payment provider and on the network, and its capital: one
//! database snapshot for all of it.
import { type Instant, instantText } from '@holdfast/kernel/clock';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { stroopsOfMinor } from '../../providers/network/stroops.ts';

export type Asset = 'USDC' | 'XLM';
export type CapitalLocation = 'ledger_network' | 'payment_provider';

export const ASSETS: readonly Asset[] = ['USDC', 'XLM'];

/** Sums by kind of account, for the currencies that an asset backs; in stroops. */
export type BookedSums = Readonly<Record<string, bigint>>;

export interface MirroredSums {
  /** The known balance of the addresses. */
  readonly stroops: bigint;
  readonly dust: bigint;
  /** The amount that the mirror still has to send or take back, without sign. */
  readonly moving: bigint;
  /** The amount that addresses were found to lack. */
  readonly lacking: bigint;
}

export interface AssetPosition {
  readonly booked: BookedSums;
  readonly mirrored: MirroredSums;
  /** In transit for orders and withdrawals, or paid by contracts and not recorded yet. */
  readonly moving: bigint;
  /** Known by a notification only: shown in balances, cannot move, may not exist. */
  readonly unconfirmed: bigint;
  /** Kept by the escrow provider out of contracts. */
  readonly providerFees: bigint;
  readonly capital: Readonly<Record<CapitalLocation, bigint>>;
  /** Whether capital was ever recorded for a location. */
  readonly isOpened: Readonly<Record<CapitalLocation, boolean>>;
}

export type HousePosition = Readonly<Record<Asset, AssetPosition>> & {
  /** Some address may hold another amount than is known. Read before the opening only. */
  readonly hasUnseenMovement: boolean;
};

const NO_MIRROR: MirroredSums = { stroops: 0n, dust: 0n, moving: 0n, lacking: 0n };

export async function readPosition(tx: Tx): Promise<HousePosition> {
  const booked = await readBooked(tx);
  const mirrored = await readMirrored(tx);
  const moving = await readMoving(tx);
  const unconfirmed = await readUnconfirmed(tx);
  const capital = await readCapital(tx);
  const [fees] = await tx.query<{ stroops: string }>(
    sql`select work.recorded_contract_fees() as stroops`,
  );
  const of = (asset: Asset): AssetPosition => ({
    booked: booked.get(asset) ?? {},
    mirrored: mirrored.get(asset) ?? NO_MIRROR,
    moving: moving.get(asset) ?? 0n,
    unconfirmed: unconfirmed.get(asset) ?? 0n,
    providerFees: asset === 'USDC' ? BigInt(fees?.stroops ?? 0) : 0n,
    ...capitalOf(capital, asset),
  });
  const [USDC, XLM] = [of('USDC'), of('XLM')];
  const isOpened = USDC.isOpened.ledger_network && XLM.isOpened.ledger_network;
  return { USDC, XLM, hasUnseenMovement: !isOpened && (await readUnseenMovement(tx)) };
}

async function readBooked(tx: Tx): Promise<ReadonlyMap<string, BookedSums>> {
  const rows = await tx.query<{ currency: string; kind: string; minor: string }>(
    sql`select currency, kind, minor from work.booked_sums()`,
  );
  const sums = new Map<string, Record<string, bigint>>();
  for (const { currency, kind, minor } of rows) {
    const asset = assetOf(currency);
    const kinds = sums.get(asset) ?? {};
    sums.set(asset, { ...kinds, [kind]: (kinds[kind] ?? 0n) + stroopsOfMinor(BigInt(minor)) });
  }
  return sums;
}

async function readMirrored(tx: Tx): Promise<ReadonlyMap<string, MirroredSums>> {
  const rows = await tx.query<{
    asset: string;
    stroops: string;
    dust: string;
    moving: string;
    lacking: string;
  }>(sql`select asset, stroops, dust, moving, lacking from work.mirrored_sums()`);
  return new Map(
    rows.map(({ asset, stroops, dust, moving, lacking }) => [
      asset,
      {
        stroops: BigInt(stroops),
        dust: BigInt(dust),
        moving: BigInt(moving),
        lacking: BigInt(lacking),
      },
    ]),
  );
}

async function readMoving(tx: Tx): Promise<ReadonlyMap<string, bigint>> {
  const rows = await tx.query<{ asset: string; stroops: string }>(sql`
    select asset, trunc(sum(stroops)) as stroops from work.in_transit_sums() group by asset`);
  return new Map(rows.map(({ asset, stroops }) => [asset, BigInt(stroops)]));
}

async function readUnconfirmed(tx: Tx): Promise<ReadonlyMap<string, bigint>> {
  const rows = await tx.query<{ currency: string; minor: string }>(
    sql`select currency, minor from work.unconfirmed_sums()`,
  );
  const sums = new Map<string, bigint>();
  for (const { currency, minor } of rows) {
    const asset = assetOf(currency);
    sums.set(asset, (sums.get(asset) ?? 0n) + stroopsOfMinor(BigInt(minor)));
  }
  return sums;
}

async function readUnseenMovement(tx: Tx): Promise<boolean> {
  const [found] = await tx.query<{ is_there: boolean }>(
    sql`select work.has_unseen_movement() as is_there`,
  );
  return found?.is_there ?? true;
}

/** USDC backs dollars too. */
function assetOf(currency: string): Asset {
  return currency === 'XLM' ? 'XLM' : 'USDC';
}

interface CapitalRow {
  location: CapitalLocation;
  asset: Asset;
  stroops: string;
}

function readCapital(tx: Tx): Promise<CapitalRow[]> {
  return tx.query<CapitalRow>(sql`
    select place as location, asset, sum(stroops) as stroops from house_capital group by place, asset`);
}

function capitalOf(
  rows: readonly CapitalRow[],
  wanted: Asset,
): Pick<AssetPosition, 'capital' | 'isOpened'> {
  const at = (location: CapitalLocation) =>
    rows.find((row) => row.location === location && row.asset === wanted)?.stroops;
  const [network, provider] = [at('ledger_network'), at('payment_provider')];
  return {
    capital: {
      ledger_network: BigInt(network ?? 0),
      payment_provider: BigInt(provider ?? 0),
    },
    isOpened: { ledger_network: network !== undefined, payment_provider: provider !== undefined },
  };
}

export interface NewCapital {
  readonly location: CapitalLocation;
  readonly asset: Asset;
  readonly stroops: bigint;
  readonly reason: string;
  readonly isOpening: boolean;
}

export interface Capital extends NewCapital {
  readonly recordedAt: Instant;
}

/** True when it was written: an opening is written once. */
export async function insertCapital(tx: Tx, capital: NewCapital): Promise<boolean> {
  const inserted = await tx.query(sql`
    insert into house_capital (place, asset, stroops, reason, recorded_by, recorded_at, is_opening)
    values (${capital.location}, ${capital.asset}, ${String(capital.stroops)}, ${capital.reason},
      ${tx.actor.id}, ${instantText(tx.now)}, ${capital.isOpening})
    on conflict do nothing returning id`);
  return inserted.length === 1;
}
