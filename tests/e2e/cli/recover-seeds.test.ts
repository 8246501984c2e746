//! A database that was set back on purpose has lost the wallets that were created since then. Their
//! seeds are in the newest copy.
import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { EXITS } from '../../../apps/cli/src/exit-codes.ts';
import { type as typeCommand } from '../../../apps/cli/src/testing/run-program.ts';
import { rotateWalletKeys } from '../../../apps/server/src/accounts/custody/rotate-wallet-keys.ts';
import { localKeyWrapper } from '../../../apps/server/src/providers/signing/key-wrapper.ts';
import { endPool } from '../../../apps/server/src/testing/database/end-pool.ts';
import { openSandboxWorld } from '../../../apps/server/src/testing/sandbox-world.ts';
import { useOpened } from '../../../apps/server/src/testing/use-world.ts';
import { type OwnDatabase, openDatabase } from '../../harness/database.ts';

const POOL = 4;
const newest = useOpened(() => openSandboxWorld({ HOLDFAST_SPARE_WALLETS: String(POOL) }));
const restored = useOpened(openRestored);

interface Restored {
  readonly database: OwnDatabase;
  readonly owner: pg.Pool;
  close(): Promise<void>;
}

async function openRestored(): Promise<Restored> {
  const database = await openDatabase('seeds');
  const owner = new pg.Pool({ connectionString: database.url, max: 1 });
  return {
    database,
    owner,
    close: async () => {
      await endPool(owner);
      await database[Symbol.asyncDispose]();
    },
  };
}

const takeSeeds = (...options: string[]) =>
  typeCommand([
    ...['recover', 'seeds', '--from', newest.databaseUrl, '--database', restored.database.url],
    ...options,
  ]);

const rowsOf = async (table: string, condition = 'true') => {
  const [found] = await newest.rows(
    `select json_agg(${table}) as rows from ${table} where ${condition}`,
  );
  return JSON.stringify(found?.['rows']);
};

let users: string[];
beforeAll(async () => {
  const market = await newest.market();
  users = [await market.user(), await market.user(), await market.user()];
  await newest.runWorker();
});

it('refuses a database of another deployment', async () => {
  const { code, err } = await takeSeeds();
  expect(code).toBe(EXITS.failed.code);
  expect(err).toContain('no wallet of the house is in both databases');
});

it('refuses a copy that has nothing of the lost time', async () => {
  const { owner } = restored;
  await owner.query(
    'insert into house_wallet select * from json_populate_recordset(null::house_wallet, $1)',
    [await rowsOf('house_wallet')],
  );
  expect((await takeSeeds()).err).toContain('this database has lost nothing');
  await owner.query(
    `insert into lineage select number + 1, system_identifier, timeline, 'REWOUND', 'restored', now(), now()
     from lineage`,
  );
  const { code, err } = await takeSeeds();
  expect(code).toBe(EXITS.failed.code);
  expect(err).toContain('the copy has nothing of the lost time');
  await newest.rows(`update lineage_mark set marked_at = now() + interval '1 minute'`);
});

it('takes the seeds that are lost, each once, and every one opens', async () => {
  const { owner } = restored;
  const [first, ...lost] = users;
  // Before the lost time, this wallet had no user yet: its seed is here.
  await owner.query(
    `insert into pooled_wallet
       (id, status, address, sealed_seed, wrapped_key, key_version, purpose, created_at)
     select id, 'READY', address, sealed_seed, wrapped_key, key_version, '', created_at
     from json_populate_recordset(null::wallet, $1)`,
    [await rowsOf('wallet', `user_id = '${first}'`)],
  );

  const { code, out } = await takeSeeds('--json');
  expect(code).toBe(EXITS.ok.code);
  const taken = JSON.parse(out) as { seeds: number; users: { userId: string }[] };
  expect(taken.seeds).toBe(lost.length + POOL);
  expect(taken.users.map(({ userId }) => userId).sort()).toEqual([...users].sort());
  expect((await takeSeeds()).out).toMatch(/✓ 0 seeds taken, 3 users lost\n$/);

  const { rows } = await owner.query(
    'select status, count(*)::int as n from pooled_wallet group by status order by status',
  );
  expect(rows).toEqual([
    { status: 'READY', n: 1 },
    { status: 'RETIRED', n: lost.length + POOL },
  ]);
  const [oldKey, newKey] = [7, 9].map((fill) => Buffer.alloc(32, fill).toString('base64'));
  const both = localKeyWrapper(`v2:${newKey},v1:${oldKey}`);
  const house = await owner.query('select from house_wallet');
  const all = (house.rowCount ?? 0) + users.length + POOL;
  expect(await rotateWalletKeys(owner, both)).toBe(all);
});

it('refuses a login that does not see all rows', async () => {
  const bound = new URL(newest.databaseUrl);
  bound.searchParams.set('options', '-c role=holdfast_api');
  const { code, err } = await typeCommand([
    ...['recover', 'seeds', '--from', bound.href, '--database', restored.database.url],
  ]);
  expect(code).toBe(EXITS.denied.code);
  expect(err).toContain('does not see all rows');
});
