//! I3: every balance is the sum of its entries, at every point of its history.
import { breaches, findAll, type Invariant } from '../invariant.ts';
import { hasBalance, LEGS } from '../kinds.ts';

const BALANCES = `
  select account_id, sum(available) as available, sum(reserved) as reserved, count(*) as entries
  from (${LEGS}) legs group by account_id`;

const BALANCE_LEGS = `
  select legs.* from (${LEGS}) legs join account on account.id = legs.account_id
  where ${hasBalance('account')} and legs.seq is not null`;

const { wrong, any } = breaches({
  'available 0 or more': `available >= 0 or kind = 'debt'`,
  'a debt 0 or less': `available <= 0 or kind <> 'debt'`,
  'reserved 0 or more': 'reserved >= 0',
  'an owner where a balance is kept': `(${hasBalance('account')}) = (owner_id <> '')`,
  'zeros on a marketplace account': `${hasBalance('account')} or (available = 0 and reserved = 0 and version = 0)`,
});

export const balances: Invariant = {
  id: 'I3',
  claim: 'every balance is the sum of its entries, at every point of its history',
  check: (sql) =>
    findAll(sql, [
      {
        claim: 'no balance below zero, none on the row of a marketplace account',
        of: 'account',
        broken: `select id as account, owner_id as owner, available, reserved, version,
            ${wrong} as "not" from account where ${any}`,
      },
      {
        claim: 'balances and version are the sum and the number of the entries',
        of: 'account',
        broken: `select account.id as account, account.owner_id as owner, account.available,
            fold.available as folded_available, account.reserved,
            fold.reserved as folded_reserved, account.version, fold.entries
          from account left join (${BALANCES}) fold on fold.account_id = account.id
          where ${hasBalance('account')}
            and (account.available, account.reserved, account.version) is distinct from
              (coalesce(fold.available, 0), coalesce(fold.reserved, 0), coalesce(fold.entries, 0))`,
      },
      {
        claim: 'the deltas of a marketplace account add up to the sum of its entries',
        of: 'house_delta',
        broken: `select account.id as account, account.kind, parts.sum,
            fold.available + fold.reserved as fold
          from account left join (${BALANCES}) fold on fold.account_id = account.id
          left join (select account_id, sum(delta) as sum from house_delta group by 1) parts
            on parts.account_id = account.id
          where not (${hasBalance('account')})
            and coalesce(parts.sum, 0) <> coalesce(fold.available + fold.reserved, 0)`,
      },
      {
        claim: 'deltas belong to marketplace accounts of their own marketplace',
        of: 'house_delta',
        broken: `select account.id as account, house_delta.marketplace_id as marketplace,
            account.kind, house_delta.delta
          from house_delta join account on account.id = house_delta.account_id
          where ${hasBalance('account')} or account.marketplace_id <> house_delta.marketplace_id`,
      },
      {
        // Only the entry after a break is reported, not all that follow it.
        claim:
          'the entries of an account are numbered from 1 without gaps or duplicates, and each has the balance at that point',
        of: 'entry',
        broken: `select account_id as account, entry_id as entry, seq, before + 1 as expected,
            available_after, available as folded_available,
            reserved_after, reserved as folded_reserved
          from (select account_id, entry_id, seq, available_after, reserved_after,
              coalesce(lag(seq) over history, 0) as before,
              sum(available) over history as available, sum(reserved) over history as reserved
            from (${BALANCE_LEGS}) legs
            window history as (partition by account_id order by seq rows unbounded preceding)) points
          where seq <> before + 1 or available_after is distinct from available
            or reserved_after is distinct from reserved`,
      },
    ]),
};
