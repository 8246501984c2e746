//! What happened to a purchase, in words, for both its people.
import { all, type Database, run } from './database.ts';

export interface Notice {
  readonly words: string;
  readonly at: string;
}

/** The id is the event's, or names the fact: no notice is ever written twice. */
export function addNotice(
  database: Database,
  notice: Notice & { readonly id: string; readonly purchase: string },
): void {
  run(
    database,
    'insert or ignore into notice (id, purchase, words, at) values (?, ?, ?, ?)',
    ...[notice.id, notice.purchase, notice.words, notice.at],
  );
}

export function noticesOf(database: Database, purchase: string): Notice[] {
  const sql = 'select words, at from notice where purchase = ? order by at';
  return all<Notice>(database, sql, purchase);
}
