//! I30: a canceled withdrawal returned its hold and paid nothing.
import { breaches, type Check, find, findAll, type Invariant, skip } from '../invariant.ts';
import { JOURNAL, journalValues, NO_JOURNAL } from '../journal.ts';

/** What the books moved for each canceled withdrawal, and what is still held for it. */
const CANCELED = `
  select canceled.*, held.remaining,
    (select count(*) from entry where entry.marketplace_id = canceled.marketplace_id
      and entry.subject_id = canceled.id and entry.kind = 'withdrawal_hold_return'
      and entry.amount = canceled.amount) as returns,
    (select count(*) from entry where entry.marketplace_id = canceled.marketplace_id
      and entry.subject_id = canceled.id
      and entry.kind in ('withdrawal_payout', 'withdrawal_crypto')) as payments,
    (select count(*) from operation join envelope sent
        on sent.marketplace_id = operation.marketplace_id
        and sent.purpose = operation.kind || ':pay:' || operation.id
      where operation.marketplace_id = canceled.marketplace_id
        and operation.resource_id = canceled.id and sent.state in ('OPEN', 'APPLIED')) as sent
  from withdrawal canceled left join reservation held
    on held.marketplace_id = canceled.marketplace_id and held.subject_id = canceled.id
    and held.owner = 'withdrawal'
  where canceled.status = 'WITHDRAWAL_CANCELED'`;

const booked = breaches({
  'its hold returned, once and whole': 'canceled.returns = 1 and canceled.remaining = 0',
  'no payment': 'canceled.payments = 0 and canceled.completed_at is null',
  'nothing sent over the network': 'canceled.sent = 0 and canceled.transaction_hash is null',
});

const BOOKED: readonly Check[] = [
  {
    claim: 'a canceled withdrawal returned its hold, and was neither booked nor sent as paid',
    of: 'withdrawal',
    broken: `select canceled.marketplace_id as marketplace, canceled.id as withdrawal,
        canceled.returns, canceled.remaining, canceled.payments, canceled.sent,
        ${booked.wrong} as "not"
      from (${CANCELED}) canceled where ${booked.any}`,
  },
];

const UNPAID = 'the payment provider completed no payout of a canceled withdrawal';

export const canceledWithdrawals: Invariant = {
  id: 'I30',
  claim: 'a canceled withdrawal returned its hold and paid nothing',
  check: async (sql) => [
    ...(await findAll(sql, BOOKED)),
    sql.journal === undefined
      ? skip(UNPAID, NO_JOURNAL)
      : await find(sql, {
          claim: UNPAID,
          of: sql.journal.length,
          values: journalValues(sql.journal),
          broken: `select canceled.marketplace_id as marketplace, canceled.id as withdrawal,
              happened.seq, happened.amount
            from withdrawal canceled
            join (select * from ${JOURNAL} where effect = 'payment.payout.complete') happened
              on happened.code = canceled.id
            where canceled.status = 'WITHDRAWAL_CANCELED'`,
        }),
  ],
};
