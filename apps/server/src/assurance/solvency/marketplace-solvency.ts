//! A marketplace's own part of solvency, from its books and the mirror's known balances.
import type { Currency } from '@holdfast/kernel/currency';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { stroopsOfMinor } from '../../providers/network/stroops.ts';
import { ASSETS, type Asset } from './house-position.ts';

/** In stroops. The amount owed was paid in, deposited, or credited by hand. */
export interface MarketplaceSolvency {
  readonly asset: Asset;
  readonly users: bigint;
  readonly escrow: bigint;
  readonly fees: bigint;
  readonly suspense: bigint;
  readonly writtenOff: bigint;
  readonly paymentFees: bigint;
  readonly debtsOwed: bigint;
  readonly owed: bigint;
  readonly paidIn: bigint;
  readonly deposited: bigint;
  readonly adjustmentsOwed: bigint;
  readonly atAddresses: bigint;
}

export async function readMarketplaceSolvency(tx: Tx): Promise<MarketplaceSolvency[]> {
  const booked = await tx.query<{ currency: Currency; kind: string; minor: string }>(sql`
    select currency, kind, sum(available + reserved) as minor from account
    where marketplace_id = ${tx.marketplace} and owner_id <> '' group by currency, kind
    union all
    select a.currency, a.kind, sum(p.delta) from house_delta p
    join account a on a.id = p.account_id and a.marketplace_id = p.marketplace_id
    where p.marketplace_id = ${tx.marketplace} group by a.currency, a.kind`);
  const mirrored = await tx.query<{ asset: Asset; stroops: string }>(sql`
    select asset, sum(stroops) as stroops from wallet_mirror
    where marketplace_id = ${tx.marketplace} group by asset`);
  return ASSETS.map((asset) => {
    const of = (kind: string) =>
      booked
        .filter((row) => row.kind === kind && (row.currency === 'XLM') === (asset === 'XLM'))
        .reduce((sum, { minor }) => sum + stroopsOfMinor(BigInt(minor)), 0n);
    const known = mirrored.find((row) => row.asset === asset);
    return solvencyFor(asset, of, BigInt(known?.stroops ?? 0));
  });
}

function solvencyFor(
  asset: Asset,
  of: (kind: string) => bigint,
  atAddresses: bigint,
): MarketplaceSolvency {
  const [users, escrow, fees, suspense] = [
    of('user'),
    of('escrow'),
    of('fee_income'),
    of('suspense'),
  ];
  const writtenOff = -of('provider_fees') - of('treasury');
  const [paymentFees, debtsOwed] = [-of('payment_fees'), -of('debt')];
  return {
    asset,
    users,
    escrow,
    fees,
    suspense,
    writtenOff,
    paymentFees,
    debtsOwed,
    owed: users + escrow + fees + suspense - writtenOff - paymentFees - debtsOwed,
    paidIn: -of('payment_clearing'),
    deposited: -of('network_clearing'),
    adjustmentsOwed: -of('adjustments'),
    atAddresses,
  };
}
