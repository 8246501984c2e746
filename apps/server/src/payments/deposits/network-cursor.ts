//! How far the network's feed of payments is read: the only SQL that writes it.
import { type Clock, instantText } from '@holdfast/kernel/clock';
import type pg from 'pg';

interface Reader {
  readonly pool: pg.Pool;
  readonly clock: Clock;
}

export async function findCursor({ pool }: Reader): Promise<string | undefined> {
  const { rows } = await pool.query<{ cursor: string }>(
    `select cursor from network_cursor where feed = 'payments'`,
  );
  return rows[0]?.cursor;
}

/** The first reader decides where the feed starts; all others continue from there. */
export async function startCursor({ pool, clock }: Reader, cursor: string): Promise<void> {
  await pool.query(
    `insert into network_cursor (feed, cursor, moved_at) values ('payments', $1, $2)
     on conflict do nothing`,
    [cursor, instantText(clock.now())],
  );
}

/**
 * Moves only from where its page started, so a delayed reader moves nothing. False when another
 * reader moved it.
 */
export async function moveCursor(
  { pool, clock }: Reader,
  from: string,
  to: string,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update network_cursor set cursor = $2, moved_at = $3 where feed = 'payments' and cursor = $1`,
    [from, to, instantText(clock.now())],
  );
  return rowCount === 1;
}
