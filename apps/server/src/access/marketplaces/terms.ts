//! What a marketplace has settled about its payments: the only SQL about it. Versions are only
//! added: what has started stays under the terms that applied then.
import type { FEE_PAYERS } from '@holdfast/contract/enums';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

export interface Terms {
  /** 0 before any were set. */
  readonly version: number;
  /** Who bears the payment provider's fee on a top-up. */
  readonly payinFee: (typeof FEE_PAYERS)[number];
  /** Whether a user whose payment was reversed is suspended. */
  readonly suspendOnReversal: boolean;
  /** What its users may owe in all, in cents; above it payouts of the marketplace stop. */
  readonly debtLimit: bigint;
  readonly reason: string | null;
  readonly setBy: string | null;
  readonly setAt: Instant | null;
}

const FIRST_TERMS: Terms = {
  version: 0,
  payinFee: 'MARKETPLACE',
  suspendOnReversal: true,
  debtLimit: 1_000_00n,
  reason: null,
  setBy: null,
  setAt: null,
};

type TermsRow = Row<
  'marketplace_terms',
  'version' | 'payin_fee' | 'suspend_on_reversal' | 'debt_limit' | 'reason' | 'set_by' | 'set_at',
  { payin_fee: Terms['payinFee'] }
>;

/** The terms that apply to what starts in this transaction. */
export async function readTerms(tx: Tx, marketplace: RowNumber = tx.marketplace): Promise<Terms> {
  const [row] = await tx.query<TermsRow>(sql`
    select version, payin_fee, suspend_on_reversal, debt_limit, reason, set_by, set_at
    from marketplace_terms
    where marketplace_id = ${marketplace} order by version desc limit 1`);
  if (row === undefined) return FIRST_TERMS;
  return {
    version: row.version,
    payinFee: row.payin_fee,
    suspendOnReversal: row.suspend_on_reversal,
    debtLimit: BigInt(row.debt_limit),
    reason: row.reason,
    setBy: row.set_by,
    setAt: row.set_at,
  };
}

export async function insertTerms(tx: Tx, marketplace: RowNumber, terms: Terms): Promise<void> {
  await tx.query(sql`
    insert into marketplace_terms (marketplace_id, version, payin_fee, suspend_on_reversal,
      debt_limit, reason, set_by, set_at)
    values (${marketplace}, ${terms.version}, ${terms.payinFee}, ${terms.suspendOnReversal},
      ${terms.debtLimit}, ${terms.reason}, ${terms.setBy}, ${instantText(tx.now)})`);
}
