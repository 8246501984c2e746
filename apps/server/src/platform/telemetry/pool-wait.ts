//! Measures how long callers wait for a connection of a pool.
import type pg from 'pg';
import { observe } from './metrics.ts';

type Connect = (callback?: (...args: unknown[]) => void) => Promise<pg.PoolClient> | undefined;

/** Every query of the pool connects first, so this sees them all. */
export function measurePoolWait(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool) as Connect;
  const measured: Connect = (callback) => {
    const startedAt = performance.now();
    const end = () =>
      observe('holdfast_db_pool_wait_seconds', (performance.now() - startedAt) / 1000, {});
    if (callback === undefined) {
      const connecting = connect();
      void connecting?.then(end, end);
      return connecting;
    }
    return connect((...args) => {
      end();
      callback(...args);
    });
  };
  pool.connect = measured as pg.Pool['connect'];
}
