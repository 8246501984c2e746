//! Ends the connections of a test before their database is dropped.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** A server that is frozen closes no connection. */
const CLOSE_MS_MAX = 2000;

/**
 * The pool's own `end` does not wait until its connections are closed. If their database is dropped
 * meanwhile, the server ends them with an error that has no handler.
 */
export async function endPool(pool: pg.Pool): Promise<void> {
  const closed = connectionsClosed(pool);
  await pool.end();
  await Promise.race([closed, sleep(CLOSE_MS_MAX, undefined, { ref: false })]);
}

function connectionsClosed(pool: pg.Pool): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let left = pool.totalCount;
  if (left === 0) resolve();
  pool.on('remove', () => {
    left -= 1;
    if (left === 0) resolve();
  });
  return promise;
}
