//! Our records of pay-ins and payouts for the comparison, over all marketplaces, because the
//! payment provider's lists cover all of them.
import { terminalStates } from '@holdfast/contract/machine';
import { topupMachine } from '@holdfast/contract/machines/topup-machine';
import { withdrawalMachine } from '@holdfast/contract/machines/withdrawal-machine';
import type { Instant } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import { idFloor, type RunId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';
import type { OwnPayment, PaymentKind } from './compare-payments.ts';

export interface OwnedPayment extends OwnPayment {
  readonly marketplace: RowNumber;
}

interface PaymentRow {
  marketplace_id: RowNumber;
  id: string;
  status: string;
  currency: Currency;
  amount: string;
  booked: string;
  awaits_record: boolean;
  created_at: Instant;
  updated_at: Instant;
}

const FINAL: ReadonlySet<string> = new Set([
  ...terminalStates(topupMachine),
  ...terminalStates(withdrawalMachine),
]);

/** By our id, which is the provider's code. */
export async function findOwnPayments(
  pool: pg.Pool,
  kind: PaymentKind,
  codes: readonly string[],
): Promise<ReadonlyMap<string, OwnedPayment>> {
  if (codes.length === 0) return new Map();
  const { rows } = await pool.query<PaymentRow>(
    `select marketplace_id, id, status, currency, amount, booked, awaits_record, created_at,
       updated_at
     from work.payment_records($1, $2)`,
    [kind, codes],
  );
  return new Map(rows.map((row) => [row.id, readPayment(row)]));
}

export interface Unmet {
  readonly marketplace: RowNumber;
  readonly runId: RunId;
  /** All marketplaces: for the run that covers the provider's balance. */
  readonly ofAll: boolean;
  readonly since: Instant;
  readonly after: string | null;
  readonly count: number;
}

/** Records that this run did not find in the provider's list, oldest first. */
export async function listUnmet(
  pool: pg.Pool,
  kind: PaymentKind,
  unmet: Unmet,
): Promise<OwnedPayment[]> {
  const since = idFloor(kind === 'payin' ? 'topup' : 'wd', unmet.since);
  const { rows } = await pool.query<PaymentRow>(
    `select marketplace_id, id, status, currency, amount, booked, awaits_record, created_at,
       updated_at
     from work.unmatched_payments($1, $2, $3, $4, $5, $6, $7)`,
    [
      kind,
      unmet.marketplace,
      unmet.runId,
      unmet.ofAll ? null : unmet.marketplace,
      since,
      unmet.after ?? '',
      unmet.count,
    ],
  );
  return rows.map(readPayment);
}

/** The amounts posted to resolve these differences, in cents, by their keys. */
export async function findPosted(
  pool: pg.Pool,
  keys: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  if (keys.length === 0) return new Map();
  const { rows } = await pool.query<{ key: string; minor: string }>(
    'select key, (sum(stroops) / 100000)::bigint as minor from work.posted_exceptions($1) group by key',
    [keys],
  );
  return new Map(rows.map(({ key, minor }) => [key, BigInt(minor)]));
}

function readPayment(row: PaymentRow): OwnedPayment {
  return {
    marketplace: row.marketplace_id,
    id: row.id,
    status: row.status,
    isFinal: FINAL.has(row.status),
    currency: row.currency,
    amountMinor: BigInt(row.amount),
    bookedMinor: BigInt(row.booked),
    awaitsRecord: row.awaits_record,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
