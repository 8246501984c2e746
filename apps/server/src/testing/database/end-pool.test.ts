import pg from 'pg';
import { expect, it } from 'vitest';
import { useWorld } from '../use-world.ts';
import { endPool } from './end-pool.ts';

const world = useWorld();

it('has closed every connection', async () => {
  const pool = new pg.Pool({ connectionString: world.databaseUrl });
  const open = new Set<pg.PoolClient>();
  pool.on('connect', (client) => {
    open.add(client);
    client.once('end', () => open.delete(client));
  });
  await Promise.all([1, 2, 3].map((number) => pool.query('select $1::int', [number])));
  expect(open.size).toBe(3);
  await endPool(pool);
  expect(open.size).toBe(0);
});

it('ends a pool without a connection', async () => {
  await expect(endPool(new pg.Pool())).resolves.toBeUndefined();
});
