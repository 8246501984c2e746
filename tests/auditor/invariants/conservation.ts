//! I1: money is neither created nor lost.
import { findAll, type Invariant } from '../invariant.ts';

// A delta without its account has no currency; it is still money and must be reported.
const MONEY = `
  select marketplace_id, currency, available + reserved as minor from account
  union all
  select house_delta.marketplace_id, account.currency, house_delta.delta
  from house_delta left join account on account.id = house_delta.account_id`;

export const conservation: Invariant = {
  id: 'I1',
  claim: 'money is neither created nor lost',
  check: (sql) =>
    findAll(sql, [
      {
        claim: 'user, escrow and marketplace accounts sum to 0 per marketplace and currency',
        of: 'account',
        broken: `select marketplace_id as marketplace, currency, sum(minor) as sum
          from (${MONEY}) money group by 1, 2 having sum(minor) <> 0 or currency is null`,
      },
      {
        claim: 'everything sums to 0 per currency',
        of: 'account',
        broken: `select currency, sum(minor) as sum from (${MONEY}) money
          group by 1 having sum(minor) <> 0`,
      },
    ]),
};
