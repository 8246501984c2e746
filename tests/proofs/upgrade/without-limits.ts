//! What the limits of `migrate` prevent: a change that waits for a table, and all who come behind.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Holds the table that every balance call updates, as a client does that did not commit. */
export async function holdAccount(databaseUrl: string): Promise<AsyncDisposable> {
  const holder = new pg.Client(databaseUrl);
  await holder.connect();
  await holder.query('begin; select from account limit 1');
  return { [Symbol.asyncDispose]: () => holder.end() };
}

export async function stallWithoutLimits(databaseUrl: string, ms: number): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const holder = await holdAccount(databaseUrl);
  const waiting = client.query('alter table account add column unlimited bigint');
  await sleep(ms);
  await holder[Symbol.asyncDispose]();
  await waiting;
  // A plain index keeps all writers of the journal away until it is built.
  await client.query('create index entry_unlimited_idx on entry (created_at)');
  await client.end();
}
