//! `holdfast recover seeds`: takes the seeds of wallets that a restored database has lost from a
//! newer copy of it. Both are read by the login of their owner; the seeds stay sealed.
import type { Command } from 'commander';
import type pg from 'pg';
import { CommandFault } from '../command-fault.ts';
import { connectDatabase } from '../connect-database.ts';
import { addressOf } from '../doctor/surroundings.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { countText } from '../terminal/words.ts';
import { DATABASE_OPTION, databaseOf } from './database-option.ts';
import { does, type ProgramWorld, type Run } from './run.ts';

interface LostWallet {
  readonly address: string;
  /** Whose it was; null for one that had no user yet. */
  readonly marketplaceId: string | null;
  readonly userId: string | null;
}

interface Taken {
  /** How many were missing here. */
  readonly seeds: number;
  /** Users who are lost, also where the seed of their wallet was here. */
  readonly users: readonly LostWallet[];
}

const USERS: readonly Column<LostWallet>[] = [
  { head: 'ADDRESS', of: ({ address }) => address },
  { head: 'MARKETPLACE', of: ({ marketplaceId }) => marketplaceId },
  { head: 'USER', of: ({ userId }) => userId },
];

export function seedsCommand(world: ProgramWorld, recover: Command): void {
  const seeds = recover
    .command('seeds')
    .description('take the seeds of lost wallets from a newer copy of the database')
    .requiredOption(
      '--from <url>',
      'URL of the newer copy: restored to the end of the history that was left',
    )
    .option(
      DATABASE_OPTION,
      'URL of the database that lacks them (default: HOLDFAST_MIGRATION_DATABASE_URL or DATABASE_URL)',
    );
  does<{ from: string; database?: string | true }>(world, seeds, async (run, options) => {
    await using own = await openAsOwner(databaseOf(run, options.database ?? true));
    await using newer = await openAsOwner(options.from);
    await checkSameDeployment(own.client, newer.client);
    await checkLeftHistory(own.client, newer.client);
    show(run, await takeSeeds(own.client, newer.client));
  });
}

async function openAsOwner(url: string) {
  const client = await connectDatabase(url, { name: 'holdfast recover' }).catch((error: Error) => {
    const message = `cannot connect to ${addressOf(url)}: ${error.message}`;
    throw new CommandFault(message, { exit: 'unreachable', code: 'DATABASE_UNREACHABLE' });
  });
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => client.end());
  const { rows } = await client.query<{ sees_all: boolean }>(
    'select rolsuper or rolbypassrls as sees_all from pg_roles where rolname = current_user',
  );
  // Row-level security binds owners too: a bound role would see no wallet, and take none.
  if (rows[0]?.sees_all !== true)
    throw new CommandFault(`the login of ${addressOf(url)} does not see all rows`, {
      exit: 'denied',
      code: 'LOGIN_BOUND',
      fix: 'use a login that row-level security does not bind, as for `holdfast verify`',
    });
  const all = cleanup.move();
  return { client, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** A deployment creates the wallets of the house once, at its first start. */
async function checkSameDeployment(own: pg.Client, newer: pg.Client): Promise<void> {
  const [here, there] = await Promise.all(
    [own, newer].map((each) => each.query<{ address: string }>('select address from house_wallet')),
  );
  const known = new Set(here?.rows.map(({ address }) => address));
  if (there?.rows.some(({ address }) => known.has(address))) return;
  throw new CommandFault('no wallet of the house is in both databases', {
    exit: 'failed',
    code: 'OTHER_DEPLOYMENT',
    fix: '--from takes a newer copy of the same database',
  });
}

/** The archive has two histories now: the one that was left, and that of the restored database. */
async function checkLeftHistory(own: pg.Client, newer: pg.Client): Promise<void> {
  const { rows } = await own.query<{ number: number; lostFrom: string | null; at: string }>(
    `select number, lost_from::text as "lostFrom", checked_at::text as at from lineage
     order by number desc limit 1`,
  );
  const [present] = rows;
  if (present?.lostFrom == null)
    throw new CommandFault('this database has lost nothing since it was last checked', {
      exit: 'failed',
      code: 'NOTHING_LOST',
      fix: 'start a worker and read `holdfast recover status`',
    });
  const { number, lostFrom, at } = present;
  const { rows: copies } = await newer.query<{ isLeft: boolean }>(
    `select marked_at > $1::timestamptz
       and not exists (select from lineage where number = $2 and checked_at = $3::timestamptz)
         as "isLeft"
     from lineage_mark`,
    [lostFrom, number, at],
  );
  if (copies[0]?.isLeft === true) return;
  throw new CommandFault(`the copy has nothing of the lost time, since ${lostFrom}`, {
    exit: 'failed',
    code: 'OTHER_HISTORY',
    fix: 'restore it along the timeline before the restore: --target-timeline=current',
  });
}

const READ_AT_ONCE = 500;

interface WalletRow extends LostWallet {
  readonly id: string;
  readonly sealed_seed: Buffer;
  readonly wrapped_key: Buffer;
  readonly key_version: string;
  readonly purpose: string;
  readonly created_at: string;
}

/** All or none, so that a second run lists the same users. */
async function takeSeeds(own: pg.Client, newer: pg.Client): Promise<Taken> {
  await newer.query('begin isolation level repeatable read, read only');
  await newer.query(`
    declare seeds cursor for
    select wallet.id, address, sealed_seed, wrapped_key, key_version,
      coalesce(purpose, 'recovered') as purpose, wallet.created_at::text,
      public_id as "marketplaceId", user_id as "userId"
    from wallet join marketplace on marketplace.id = wallet.marketplace_id
    where address is not null
    union all
    select id, address, sealed_seed, wrapped_key, key_version, purpose, created_at::text, null, null
    from pooled_wallet`);
  await own.query('begin');
  const users: LostWallet[] = [];
  let seeds = 0;
  for (;;) {
    const { rows } = await newer.query<WalletRow>(`fetch ${READ_AT_ONCE} from seeds`);
    if (rows.length === 0) break;
    const here = await addressesOfUsers(own, rows);
    const lost = rows.filter(({ address }) => !here.has(address));
    seeds += await insertMissing(own, lost);
    for (const { address, marketplaceId, userId } of lost)
      if (userId !== null) users.push({ address, marketplaceId, userId });
  }
  await own.query('commit');
  return { seeds, users };
}

async function addressesOfUsers(
  own: pg.Client,
  wallets: readonly WalletRow[],
): Promise<ReadonlySet<string>> {
  const { rows } = await own.query<{ address: string }>(
    'select address from wallet where address = any ($1)',
    [wallets.map(({ address }) => address)],
  );
  return new Set(rows.map(({ address }) => address));
}

/**
 * Set aside: no user is given such a wallet. What is here already stays as it is. The id stays too:
 * the seed is sealed with it.
 */
async function insertMissing(own: pg.Client, wallets: readonly WalletRow[]): Promise<number> {
  const { rowCount } = await own.query(
    `insert into pooled_wallet
       (id, status, address, sealed_seed, wrapped_key, key_version, purpose, created_at)
     select id, 'RETIRED', address, sealed_seed, wrapped_key, key_version, purpose, created_at
     from unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[], $5::text[], $6::text[],
       $7::timestamptz[]) as lost (id, address, sealed_seed, wrapped_key, key_version, purpose,
       created_at)
     on conflict do nothing`,
    [
      wallets.map(({ id }) => id),
      wallets.map(({ address }) => address),
      wallets.map(({ sealed_seed }) => sealed_seed),
      wallets.map(({ wrapped_key }) => wrapped_key),
      wallets.map(({ key_version }) => key_version),
      wallets.map(({ purpose }) => purpose),
      wallets.map(({ created_at }) => created_at),
    ],
  );
  return rowCount ?? 0;
}

function show({ terminal }: Run, { seeds, users }: Taken): void {
  const { style } = terminal;
  terminal.show({ seeds, users }, () => [
    ...(users.length === 0 ? [] : tableLines(users, USERS, style)),
    style.green(`✓ ${countText(seeds, 'seed')} taken, ${countText(users.length, 'user')} lost`),
  ]);
}
