//! I4: every reserved amount belongs to a reservation with an owner.
import { breaches, findAll, type Invariant } from '../invariant.ts';
import { hasBalance, LEGS } from '../kinds.ts';

const { wrong, any } = breaches({
  'amount above zero': 'reservation.amount > 0',
  'remaining within amount': 'reservation.remaining between 0 and reservation.amount',
  'a known owner': `reservation.owner in ('manual', 'order', 'withdrawal')`,
  'the order or withdrawal that owns it': `reservation.owner = 'manual' or reservation.subject_id is not null`,
  'the account of a user': `account.kind = 'user'`,
  'an account of its marketplace': 'account.marketplace_id = reservation.marketplace_id',
});

export const reservations: Invariant = {
  id: 'I4',
  claim: 'every reserved amount belongs to a reservation with an owner',
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
        claim: 'the reserved balance of an account is the sum of its remaining reservations',
        of: 'account',
        broken: `select account.id as account, account.owner_id as owner, account.reserved, holds.sum
          from account left join
            (select account_id, sum(remaining) as sum from reservation group by 1) holds
            on holds.account_id = account.id
          where account.reserved <> coalesce(holds.sum, 0)`,
      },
      {
        claim: 'every entry that reserves has its reservation, and every reservation its entry',
        of: 'reservation',
        broken: `select made.id as entry, reservation.id as reservation
          from (select * from entry where to_bucket = 'reserved') made
          full join reservation on reservation.marketplace_id = made.marketplace_id
            and reservation.entry_id = made.id
          where made.id is null or reservation.id is null
            or (reservation.account_id, reservation.amount) is distinct from (made.to_account, made.amount)
            or reservation.subject_id is distinct from made.subject_id`,
      },
      {
        // Per subject too: an order can never use an amount that another has reserved.
        claim:
          'for each order or withdrawal, the reserved amount minus what was spent or returned equals the remainder',
        of: 'entry',
        broken: `select account_id as account, subject, moved.sum as entries, holds.sum as remaining
          from (select account_id, coalesce(subject_id, '') as subject, sum(reserved) as sum
            from (select legs.* from (${LEGS}) legs join account on account.id = legs.account_id
              where legs.reserved <> 0 and ${hasBalance('account')}) legs group by 1, 2) moved
          full join (select account_id, coalesce(subject_id, '') as subject, sum(remaining) as sum
            from reservation group by 1, 2) holds using (account_id, subject)
          where coalesce(moved.sum, 0) <> coalesce(holds.sum, 0)`,
      },
    ]),
};
