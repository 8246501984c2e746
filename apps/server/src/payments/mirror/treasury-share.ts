//! How much of the treasury a marketplace's addresses may hold, and how much they do: the only SQL
//! that writes treasury_share and treasury_draw.
import { instantText } from '@holdfast/kernel/clock';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { stroopsOfMinor } from '../../providers/network/stroops.ts';
import type { Asset } from './wallet-mirror.ts';

/** The limits per asset until an operator sets one. Null: no limit. */
export interface ShareSettings {
  readonly config: { readonly HOLDFAST_TREASURY_SHARE?: bigint | null | undefined };
}

export function defaultShare({ config }: ShareSettings): bigint | null {
  const minor = config.HOLDFAST_TREASURY_SHARE ?? null;
  return minor === null ? null : stroopsOfMinor(minor);
}

type ShareRow = Row<'treasury_share', 'funded_stroops' | 'set_at' | 'drawn_stroops'>;

/** The rest of the share, locked until the transaction ends; null without a limit. */
export async function lockRoom(
  tx: Tx,
  settings: ShareSettings,
  asset: Asset,
): Promise<bigint | null> {
  await tx.query(sql`
    insert into treasury_share (marketplace_id, asset) values (${tx.marketplace}, ${asset})
    on conflict do nothing`);
  const [row] = await tx.query<ShareRow>(sql`
    select funded_stroops, set_at, drawn_stroops from treasury_share
    where marketplace_id = ${tx.marketplace} and asset = ${asset} for no key update`);
  if (row === undefined) return 0n;
  const set = row.funded_stroops === null ? null : BigInt(row.funded_stroops);
  const funded = row.set_at === null ? defaultShare(settings) : set;
  return funded === null ? null : funded - BigInt(row.drawn_stroops);
}

/** A negative amount gives back. */
export async function addDrawn(tx: Tx, asset: Asset, stroops: bigint): Promise<void> {
  await tx.query(sql`
    insert into treasury_share (marketplace_id, asset, drawn_stroops)
    values (${tx.marketplace}, ${asset}, ${String(stroops)})
    on conflict (marketplace_id, asset) do update
    set drawn_stroops = treasury_share.drawn_stroops + excluded.drawn_stroops`);
}

/** True for the first caller that finds it exhausted since it was last set or sufficient. */
export async function escalateShare(tx: Tx, asset: Asset): Promise<boolean> {
  const escalated = await tx.query(sql`
    update treasury_share set escalated_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and asset = ${asset} and escalated_at is null
    returning asset`);
  return escalated.length === 1;
}

export async function clearShareEscalation(tx: Tx, asset: Asset): Promise<void> {
  await tx.query(sql`
    update treasury_share set escalated_at = null
    where marketplace_id = ${tx.marketplace} and asset = ${asset} and escalated_at is not null`);
}

/**
 * The amount that the envelope of a purpose takes out of the treasury: drawn before it is signed,
 * and given back by zero. A repeat counts only the difference. False when it is too much.
 */
export async function setDraw(
  tx: Tx,
  settings: ShareSettings,
  purpose: string,
  draw: { readonly asset: Asset; readonly stroops: bigint },
): Promise<boolean> {
  const { asset, stroops } = draw;
  const room = await lockRoom(tx, settings, asset);
  const [before] = await tx.query<Row<'treasury_draw', 'stroops'>>(sql`
    delete from treasury_draw where marketplace_id = ${tx.marketplace} and purpose = ${purpose}
    returning stroops`);
  const had = BigInt(before?.stroops ?? 0);
  const isEnough = room === null || stroops <= room + had;
  const drawn = isEnough ? stroops : 0n;
  if (drawn > 0n) {
    await tx.query(sql`
      insert into treasury_draw (marketplace_id, purpose, asset, stroops)
      values (${tx.marketplace}, ${purpose}, ${asset}, ${String(drawn)})`);
  }
  if (drawn !== had) await addDrawn(tx, asset, drawn - had);
  return isEnough;
}

export interface Share {
  /** Null: no limit. Undefined: the configured default applies. */
  readonly funded: bigint | null | undefined;
  readonly drawn: bigint;
}

export async function findShare(tx: Tx, marketplace: RowNumber, asset: Asset): Promise<Share> {
  const [row] = await tx.query<ShareRow>(sql`
    select funded_stroops, set_at, drawn_stroops from treasury_share
    where marketplace_id = ${marketplace} and asset = ${asset}`);
  if (row === undefined) return { funded: undefined, drawn: 0n };
  const set = row.funded_stroops === null ? null : BigInt(row.funded_stroops);
  return { funded: row.set_at === null ? undefined : set, drawn: BigInt(row.drawn_stroops) };
}

/** Stores the operator's limit; users who waited for it are due at once. */
export async function setShare(
  tx: Tx,
  marketplace: RowNumber,
  asset: Asset,
  funded: bigint | null,
): Promise<void> {
  await tx.query(sql`
    insert into treasury_share (marketplace_id, asset, funded_stroops, set_at)
    values (${marketplace}, ${asset}, ${funded === null ? null : String(funded)},
      ${instantText(tx.now)})
    on conflict (marketplace_id, asset) do update
    set funded_stroops = excluded.funded_stroops, set_at = excluded.set_at, escalated_at = null`);
  await tx.query(sql`
    delete from mirror_backoff where marketplace_id = ${marketplace} and reason = 'SHARE'`);
}

export async function publicIdOf(tx: Tx): Promise<string> {
  const [row] = await tx.query<Row<'marketplace', 'public_id'>>(sql`
    select public_id from marketplace where id = ${tx.marketplace}`);
  return row?.public_id ?? '';
}
