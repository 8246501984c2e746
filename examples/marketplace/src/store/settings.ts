//! Single values that outlive the process: the cursor of the event log, the key of the cookies.
import { randomBytes } from 'node:crypto';
import { type Database, first, run } from './database.ts';

export function readSetting(database: Database, name: string): string | undefined {
  const sql = 'select value from setting where name = ?';
  return first<{ value: string }>(database, sql, name)?.value;
}

export function writeSetting(database: Database, name: string, value: string): void {
  run(
    database,
    `insert into setting (name, value) values (?, ?)
     on conflict (name) do update set value = excluded.value`,
    name,
    value,
  );
}

/** Made once and kept, so that a restart signs nobody out. */
export function cookieSecret(database: Database): string {
  const kept = readSetting(database, 'cookie-secret');
  if (kept !== undefined) return kept;
  const made = randomBytes(32).toString('hex');
  writeSetting(database, 'cookie-secret', made);
  return made;
}
