//! The copy of top-ups and withdrawals, updated by events alone.
import type { Topup, Withdrawal } from '@holdfast/sdk';
import { all, type Database, first, run } from './database.ts';

export interface Payment {
  /** A top-up's (topup_…) or a withdrawal's (wd_…). */
  readonly id: string;
  readonly person: string;
  readonly amount: string;
  readonly status: Topup['status'] | Withdrawal['status'];
  /** Where the user confirms a top-up. */
  readonly payPage: string | null;
  readonly problem: string | null;
  readonly createdAt: string;
}

const COLUMNS = 'id, person, amount, status, pay_page as payPage, problem, created_at as createdAt';

export function paymentsOf(database: Database, person: string): Payment[] {
  const sql = `select ${COLUMNS} from payment where person = ? order by created_at desc limit 8`;
  return all<Payment>(database, sql, person);
}

export function findPayment(database: Database, id: string): Payment | undefined {
  return first<Payment>(database, `select ${COLUMNS} from payment where id = ?`, id);
}

export function addPayment(database: Database, payment: Omit<Payment, 'payPage' | 'problem'>) {
  const { id, person, amount, status, createdAt } = payment;
  run(
    database,
    `insert or ignore into payment (id, person, amount, status, created_at)
     values (?, ?, ?, ?, ?)`,
    ...[id, person, amount, status, createdAt],
  );
}

export function movePayment(
  database: Database,
  id: string,
  status: Payment['status'],
  facts: { readonly payPage?: string; readonly problem?: string } = {},
): void {
  run(
    database,
    `update payment set status = ?, pay_page = coalesce(?, pay_page), problem = ? where id = ?`,
    ...[status, facts.payPage ?? null, facts.problem ?? null, id],
  );
}
