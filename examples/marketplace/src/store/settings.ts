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

/** Created once and stored, so that a restart signs no person out. */
export function cookieSecret(database: Database): string {
  const saved = readSetting(database, 'cookie-secret');
  if (saved !== undefined) return saved;
  const created = randomBytes(32).toString('hex');
  writeSetting(database, 'cookie-secret', created);
  return created;
}
