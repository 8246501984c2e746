//! M4: who has taken the worker over, and has its database login, pays money out.
import { type Attack, unrecorded } from '../attack.ts';
import { type Attempt, findVictim, succeededAs } from '../database-attempts.ts';

/** Of the victim, in the transaction's marketplace. */
const ACCOUNT = (userId: string) =>
  `(select id from account where kind = 'user' and owner_id = '${userId}' and currency = 'USD')`;

export const attack: Attack = {
  id: 'M4-worker',
  title: "pay money out with the worker's database login",
  isQuick: true,
  evidence: unrecorded('PostgreSQL refuses the statement, and its own log is outside the service'),
  run: async (world) => {
    const { userId, marketplace } = await findVictim(world);
    // One without a hold, so that a second hold is not what stands in the way.
    await world.monitor.query(newWithdrawal('wd_unheld', userId, marketplace));
    const attempts = attemptsOn(userId, marketplace);
    try {
      const gained = await succeededAs(world, 'holdfast_worker', marketplace, attempts);
      return gained.length === 0 ? undefined : gained.join(', ');
    } finally {
      await world.monitor.query(`delete from withdrawal where id = 'wd_unheld'`);
    }
  },
  withoutFix: {
    file: 'apps/server/src/platform/database/migrations/0001_tenancy.sql',
    find: "('holdfast_worker', 'holdfast_sequencer')) as memberships",
    replace:
      "('holdfast_worker', 'holdfast_sequencer'), ('holdfast_worker', 'holdfast_operator')) as memberships",
  },
};

const newWithdrawal = (id: string, userId: string, marketplace: string) => `
  insert into withdrawal (marketplace_id, id, user_id, status, amount, currency, destination_type,
    destination_ref, expires_at, created_at, updated_at)
  values (${marketplace}, '${id}', '${userId}', 'WITHDRAWAL_CREATED', 1000, 'USD', 'crypto',
    'GATTACKER', now() + interval '1 day', now(), now())`;

function attemptsOn(userId: string, marketplace: string): Attempt[] {
  return [
    { title: 'become operator', text: 'set local role holdfast_operator', isForLoginsOnly: true },
    { title: 'become the books', text: 'set local role holdfast_books', isForLoginsOnly: true },
    { title: 'write a withdrawal', text: newWithdrawal('wd_attack', userId, marketplace) },
    {
      title: 'send a withdrawal to another address',
      text: `update withdrawal set destination_ref = 'GATTACKER' where id = 'wd_unheld'`,
    },
    {
      title: 'hold money for a withdrawal',
      text: `select books.hold_for_withdrawal(now(), 'wd_unheld', 'rsv_attack', 'x', 'x')`,
    },
    {
      title: 'credit a user by hand',
      text: `select * from books.post_batch(now(), null, true, array[row('credit', ${marketplace},
          ${ACCOUNT(userId)}, '${userId}', 'USD',
          (select id from account where kind = 'adjustments' and currency = 'USD'
             and marketplace_id = ${marketplace}), 100000, null, 'x', 'x', null, null, null, null,
          'aud_attack', null, null, null)::books.posting_request])`,
    },
    {
      title: 'increase a balance',
      text: `update account set available = available + 100000 where id = ${ACCOUNT(userId)}`,
    },
    {
      title: 'create a user',
      text: `insert into users (marketplace_id, id, external_user_id, type, status,
          deposit_currency, created_at, updated_at)
        values (${marketplace}, 'usr_attack', 'attack', 'BOTH', 'ACTIVE', 'USD', now(), now())`,
    },
    {
      title: 'resume paused payouts',
      text: `update payouts_pause set paused_at = null, reason = 'x'`,
    },
  ];
}
