//! Disputes: the buyer's own words, and a copy of support's decision.
import type { Dispute as HoldfastDispute } from '@holdfast/sdk';
import { all, type Database, first, run } from './database.ts';

export interface Dispute {
  readonly id: string;
  readonly purchase: string;
  readonly reason: HoldfastDispute['reason'];
  readonly words: string;
  readonly status: HoldfastDispute['status'];
  readonly takenBy: string | null;
  readonly decision: HoldfastDispute['resolutionDecision'];
  readonly sellerAmount: string | null;
  readonly buyerAmount: string | null;
  readonly note: string | null;
}

const COLUMNS = `id, purchase, reason, words, status, taken_by as takenBy, decision,
  seller_amount as sellerAmount, buyer_amount as buyerAmount, note`;

export function listDisputes(database: Database): Dispute[] {
  return all<Dispute>(database, `select ${COLUMNS} from dispute order by rowid desc`);
}

export function findDispute(database: Database, id: string): Dispute | undefined {
  return first<Dispute>(database, `select ${COLUMNS} from dispute where id = ?`, id);
}

export function disputeOf(database: Database, purchase: string): Dispute | undefined {
  return first<Dispute>(database, `select ${COLUMNS} from dispute where purchase = ?`, purchase);
}

/** Called for the response of the call and for its event, in either order. */
export function addDispute(
  database: Database,
  dispute: Pick<Dispute, 'id' | 'purchase' | 'reason'>,
): void {
  run(
    database,
    `insert or ignore into dispute (id, purchase, reason, words, status)
     select ?, id, ?, complaint, 'OPEN' from purchase where id = ?`,
    ...[dispute.id, dispute.reason, dispute.purchase],
  );
}

export function takeDispute(database: Database, id: string, by: string): void {
  const sql = `update dispute set status = 'UNDER_REVIEW', taken_by = ? where id = ?`;
  run(database, sql, by, id);
}

export function decideDispute(
  database: Database,
  id: string,
  decided: Pick<Dispute, 'decision' | 'sellerAmount' | 'buyerAmount' | 'note'>,
): void {
  run(
    database,
    `update dispute set status = 'RESOLVED', decision = ?, seller_amount = ?, buyer_amount = ?,
       note = ? where id = ?`,
    ...[decided.decision, decided.sellerAmount, decided.buyerAmount, decided.note, id],
  );
}
