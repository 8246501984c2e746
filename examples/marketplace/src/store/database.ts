//! The shop's own database: SQLite, which Node.js brings along.
//!
//! Holdfast has the money. The shop keeps what is its own, and a copy of what pages show, which
//! events keep up to date: a page view costs no call, and the copy says where in the log it is.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

const SCHEMA = `
create table if not exists setting (name text primary key, value text not null) strict;

create table if not exists person (
  id text primary key, name text not null, role text not null, about text not null,
  email text not null, user_id text unique, available text not null default '0.00'
) strict;

create table if not exists item (
  id text primary key, title text not null, about text not null, seller text not null,
  price text not null, picture text not null, milestones text not null
) strict;

-- One row for each checkout. Its id is the cart's, and Holdfast knows the order by it.
create table if not exists purchase (
  id text primary key, item_id text not null, title text not null,
  buyer text not null, seller text not null, amount text not null,
  order_id text unique, status text not null, close_reason text, fee text,
  -- When the last event about it occurred.
  notified_at text,
  delivered_at text,
  -- In the buyer's own words; kept before the dispute is opened, so that no crash loses them.
  complaint text not null default '',
  -- CHECKING: a response was lost, outcome unknown. REFUSED: a provider said no, nothing moved.
  trouble text, operation_id text,
  created_at text not null
) strict;

create table if not exists milestone (
  purchase text not null, position integer not null, ref text not null, title text not null,
  amount text not null, completed_at text, primary key (purchase, ref)
) strict;

create table if not exists dispute (
  id text primary key, purchase text not null unique, reason text not null, words text not null,
  status text not null, taken_by text, decision text, seller_amount text, buyer_amount text,
  note text
) strict;

-- Top-ups and withdrawals.
create table if not exists payment (
  id text primary key, person text not null, amount text not null, status text not null,
  pay_page text, problem text, created_at text not null
) strict;

create table if not exists notification (
  id text primary key, purchase text not null, words text not null, at text not null
) strict;
create index if not exists notification_of on notification (purchase, at);

create table if not exists handled_event (event_id text primary key) strict;
`;

export type Database = DatabaseSync;

export function openDatabase(path: string): Database {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  database.exec('pragma journal_mode = wal');
  database.exec(SCHEMA);
  return database;
}

/** All of it, or none of it. */
export function inTransaction<T>(database: Database, work: () => T): T {
  database.exec('begin immediate');
  try {
    const result = work();
    database.exec('commit');
    return result;
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}

export function all<Row>(database: Database, sql: string, ...values: SQLInputValue[]): Row[] {
  return database.prepare(sql).all(...values) as Row[];
}

export function first<Row>(
  database: Database,
  sql: string,
  ...values: SQLInputValue[]
): Row | undefined {
  return database.prepare(sql).get(...values) as Row | undefined;
}

/** The number of changed rows. */
export function run(database: Database, sql: string, ...values: SQLInputValue[]): number {
  return Number(database.prepare(sql).run(...values).changes);
}
