//! The timeline of a purchase in words, for its buyer and its seller.
import { all, type Database, run } from './database.ts';

export interface Notification {
  readonly words: string;
  readonly at: string;
}

/** The id is the event's, or names the fact: no notification is stored twice. */
export function addNotification(
  database: Database,
  notification: Notification & { readonly id: string; readonly purchase: string },
): void {
  run(
    database,
    'insert or ignore into notification (id, purchase, words, at) values (?, ?, ?, ?)',
    ...[notification.id, notification.purchase, notification.words, notification.at],
  );
}

export function notificationsOf(database: Database, purchase: string): Notification[] {
  const sql = 'select words, at from notification where purchase = ? order by at';
  return all<Notification>(database, sql, purchase);
}
