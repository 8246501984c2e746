//! Deposits: the only SQL that writes them.
import { instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import type { HistoryLineId, UserId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { NetworkPayment } from '../../providers/network/ledger-network.ts';

export interface Deposit extends NetworkPayment {
  readonly asset: 'USDC' | 'XLM';
  readonly userId: UserId;
  readonly lineId: HistoryLineId;
  readonly currency: Currency;
  /** The credited amount, in whole cents. */
  readonly minor: bigint;
  /** The change of the wallet's dust. */
  readonly dust: bigint;
}

/** False when this transfer is already recorded: only the first writer credits it. */
export async function insertDeposit(tx: Tx, deposit: Deposit): Promise<boolean> {
  const inserted = await tx.query(sql`
    insert into deposit (marketplace_id, operation_id, transfer_index, line_id, user_id, address, from_address,
      hash, asset, stroops, currency, amount, dust_stroops, occurred_at, credited_at)
    values (${tx.marketplace}, ${deposit.operationId}, ${deposit.part}, ${deposit.lineId},
      ${deposit.userId}, ${deposit.to}, ${deposit.from}, ${deposit.hash}, ${deposit.asset},
      ${String(deposit.stroops)}, ${deposit.currency}, ${deposit.minor}, ${String(deposit.dust)},
      ${instantText(deposit.at)}, ${instantText(tx.now)})
    on conflict on constraint deposit_pkey do nothing returning operation_id`);
  return inserted.length === 1;
}

type Transfer = Pick<NetworkPayment, 'operationId' | 'part'>;

export function nameOf({ operationId, part }: Transfer): string {
  return `${operationId} ${part}`;
}

/** Which of these are recorded, over all marketplaces. */
export async function knownDeposits(
  pool: pg.Pool,
  transfers: readonly Transfer[],
): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ operation_id: string; transfer_index: number }>(
    'select operation_id, transfer_index from work.known_deposits($1)',
    [transfers.map(({ operationId }) => operationId)],
  );
  return new Set(
    rows.map((row) => nameOf({ operationId: row.operation_id, part: row.transfer_index })),
  );
}
