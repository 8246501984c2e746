//! I32: money that is known by notification only has a lien, which keeps it where it is.
import { breaches, findAll, type Invariant } from '../invariant.ts';

const { wrong, any } = breaches({
  'an account of a user of its marketplace': `account.kind = 'user'
    and account.marketplace_id = lien.marketplace_id`,
  'the entry that made it available': `made.amount = lien.amount
    and made.to_account = lien.account_id`,
});

export const unconfirmed: Invariant = {
  id: 'I32',
  claim: 'money that is known by notification only has a lien, and stays in its account',
  check: (sql) =>
    findAll(sql, [
      {
        claim: 'every lien has the account and the amount of the entry that it was opened for',
        of: 'lien',
        broken: `select lien.marketplace_id as marketplace, lien.subject_id as payment, lien.amount,
            made.amount as entry_amount, ${wrong} as "not"
          from lien left join account on account.id = lien.account_id
          left join entry made on made.marketplace_id = lien.marketplace_id
            and made.subject_id = lien.subject_id
            and made.kind in ('topup', 'withdrawal_hold_return')
          where ${any}`,
      },
      {
        claim:
          'the unconfirmed amount of an account is the sum of its open liens, and is available there',
        of: 'account',
        broken: `select account.id as account, account.owner_id as owner, account.unconfirmed,
            account.available, liens.sum
          from account left join (select account_id, sum(amount) as sum from lien
            where lifted_at is null group by 1) liens on liens.account_id = account.id
          where account.unconfirmed <> coalesce(liens.sum, 0)
            or (account.unconfirmed > 0 and account.unconfirmed > account.available)`,
      },
    ]),
};
