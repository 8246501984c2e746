//! I4: what is reserved is owned, hold by hold.
import { breaches, findAll, type Invariant } from '../invariant.ts';
import { isKept, LEGS } from '../kinds.ts';

const { wrong, any } = breaches({
  'amount above zero': 'reservation.amount > 0',
  'remaining within amount': 'reservation.remaining between 0 and reservation.amount',
  'a known owner': `reservation.owner in ('manual', 'order', 'withdrawal')`,
  'the order or withdrawal that owns it': `reservation.owner = 'manual' or reservation.subject_id is not null`,
  'the account of a user': `account.kind = 'user'`,
  'an account of its marketplace': 'account.marketplace_id = reservation.marketplace_id',
});

// No column ties a hold to its entry, so they are matched by all that both of them say.
const IDENTITY = `marketplace_id, account_id, coalesce(subject_id, '') as subject, amount, created_at`;

export const reservations: Invariant = {
  id: 'I4',
  claim: 'what is reserved is owned, hold by hold',
  check: (sql) =>
    findAll(sql, [
      {
        claim: 'amount, remainder, owner and account of every reservation are legal',
        of: 'reservation',
        broken: `select reservation.marketplace_id as marketplace, reservation.id as reservation,
            reservation.owner, reservation.amount, reservation.remaining, ${wrong} as "not"
          from reservation left join account on account.id = reservation.account_id where ${any}`,
      },
      {
        claim: 'the reserved balance of an account is what its reservations still hold',
        of: 'account',
        broken: `select account.id as account, account.owner_id as owner, account.reserved, holds.sum
          from account left join
            (select account_id, sum(remaining) as sum from reservation group by 1) holds
            on holds.account_id = account.id
          where account.reserved <> coalesce(holds.sum, 0)`,
      },
      {
        claim: 'every reserve entry has its reservation, and every reservation its entry',
        of: 'reservation',
        broken: `select coalesce(made.account_id, holds.account_id) as account,
            made.entry, made.entries, holds.reservation, holds.reservations
          from (select ${IDENTITY}, min(id) as entry, count(*) as entries
            from (select *, to_account as account_id from entry where kind = 'reserve') reserves
            group by 1, 2, 3, 4, 5) made
          full join (select ${IDENTITY}, min(id) as reservation, count(*) as reservations
            from reservation group by 1, 2, 3, 4, 5) holds
            using (marketplace_id, account_id, subject, amount, created_at)
          where made.entries is distinct from holds.reservations`,
      },
      {
        // By subject too: one order can never use what another has set aside.
        claim: 'all that was reserved, less all that left, is what remains, subject by subject',
        of: 'entry',
        broken: `select account_id as account, subject, moved.sum as entries, holds.sum as remaining
          from (select account_id, coalesce(subject_id, '') as subject, sum(reserved) as sum
            from (select legs.* from (${LEGS}) legs join account on account.id = legs.account_id
              where legs.reserved <> 0 and ${isKept('account')}) legs group by 1, 2) moved
          full join (select account_id, coalesce(subject_id, '') as subject, sum(remaining) as sum
            from reservation group by 1, 2) holds using (account_id, subject)
          where coalesce(moved.sum, 0) <> coalesce(holds.sum, 0)`,
      },
    ]),
};
