//! M4: who has taken the API server over, and has its database login, makes the worker send money.
import { within } from '../../../harness/wait.ts';
import { type Attack, unrecorded } from '../attack.ts';
import { type Attempt, findVictim, succeededAs } from '../database-attempts.ts';
import type { AttackWorld } from '../world.ts';

/** For the first rows of a worker that has just started. */
const MS_MAX = 30_000;

export const attack: Attack = {
  id: 'M4-api',
  title: "have money sent on the network with the API server's database login",
  isQuick: true,
  evidence: unrecorded('PostgreSQL refuses the statement, and its own log is outside the service'),
  run: async (world) => {
    const { marketplace } = await findVictim(world);
    if (!(await within(MS_MAX, () => hasRows(world), 250)))
      throw new Error('the worker has written nothing that could be changed');
    const attempts = attemptsOn(marketplace);
    const gained = await succeededAs(world, 'holdfast_api', marketplace, attempts);
    return gained.length === 0 ? undefined : gained.join(', ');
  },
  withoutFix: {
    file: 'apps/server/src/platform/database/migrations/0004_users_wallets.sql',
    find: 'grant select on envelope to holdfast_api;',
    replace: 'grant select, insert on envelope to holdfast_api;',
  },
};

async function hasRows({ monitor }: AttackWorld): Promise<boolean> {
  const { rows } = await monitor.query<{ all_there: boolean }>(
    `select exists (select from envelope) and exists (select from network_cursor)
       and exists (select from house_wallet where kind = 'treasury') as all_there`,
  );
  return rows[0]?.all_there === true;
}

function attemptsOn(marketplace: string): Attempt[] {
  return [
    { title: 'become sequencer', text: 'set local role holdfast_sequencer', isForLoginsOnly: true },
    { title: 'become the books', text: 'set local role holdfast_books', isForLoginsOnly: true },
    {
      title: 'store a transaction to be sent',
      text: `insert into envelope (marketplace_id, purpose, attempt, hash, xdr, source, sequence,
          max_time, state, created_at)
        values (${marketplace}, 'op_attack', 1, 'attack', 'AAAA', 'GATTACKER', 1, 9999999999,
          'OPEN', now())`,
    },
    {
      title: 'call a transaction failed, so that it is signed again',
      text: `update envelope set state = 'FAILED' where true`,
    },
    {
      title: 'batch a transfer to an address',
      text: `insert into mirror_batch (marketplace_id, id, status, next_try_at, created_at)
        values (${marketplace}, 'mb_attack', 'OPEN', now(), now())`,
    },
    {
      title: 'add a transfer to a batch',
      text: `insert into mirror_item (marketplace_id, batch_id, user_id, asset, address, stroops,
          status)
        values (${marketplace}, 'mb_attack', 'usr_attack', 'USDC', 'GATTACKER', 1000000, 'OPEN')`,
    },
    {
      title: 'draw on the treasury',
      text: `insert into treasury_draw (marketplace_id, purpose, asset, stroops)
        values (${marketplace}, 'op_attack', 'USDC', 1000000)`,
    },
    {
      title: 'add a wallet of the house',
      text: `insert into house_wallet (id, kind, number, address, sealed_seed, wrapped_key,
          key_version, created_at)
        values ('wal_attack', 'channel', 9999, 'GATTACKER', ''::bytea, ''::bytea, 'v1', now())`,
    },
    {
      title: 'replace the address and seed of the treasury',
      text: `update house_wallet set address = 'GATTACKER', sealed_seed = ''::bytea
        where kind = 'treasury'`,
    },
    { title: 'read the seeds of the house', text: 'select sealed_seed from house_wallet' },
    {
      title: 'read the seeds of users as operator',
      text: 'set local role holdfast_operator; select sealed_seed from wallet',
      isForLoginsOnly: true,
    },
    {
      title: 'give a user a wallet with a known seed',
      text: `insert into wallet (marketplace_id, id, user_id, status, address, sealed_seed,
          wrapped_key, key_version, created_at)
        values (${marketplace}, 'wal_attack', 'usr_attack', 'KEYED', 'GATTACKER', ''::bytea,
          ''::bytea, 'v1', now())`,
    },
    {
      title: 'skip deposits',
      text: `update network_cursor set cursor = '1'`,
    },
  ];
}
