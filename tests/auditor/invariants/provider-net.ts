//! I29: what the books have at the payment provider for each pay-in is what the provider received
//! for it, less its fee and what was taken back. The fee is charged to whom the terms say.
import { breaches, type Check, find, findAll, type Invariant, skip } from '../invariant.ts';
import { JOURNAL, journalValues, NO_JOURNAL } from '../journal.ts';

/** The entries of each top-up about the provider's fee, and what its user was charged. */
const MOVED = `
  select marketplace_id, subject_id,
    sum(case kind when 'topup_fee' then amount when 'topup_fee_return' then -amount else 0 end) as fee,
    sum(case kind when 'topup_fee_charge' then amount when 'topup_debt' then amount
      when 'topup_reversal' then amount when 'topup_reinstated' then -amount
      when 'topup_fee_refund' then -amount else 0 end) as charged
  from entry where kind ~ '^topup_(fee|debt|rever|reinst)' group by 1, 2`;

const fees = breaches({
  'the fee of the record': 'topup.booked_fee = coalesce(topup.fee, 0)',
  'the fee of its entries': 'topup.booked_fee = coalesce(moved.fee, 0)',
  'charged to the user who bears it, and only then': `topup.charged_fee
    = case when topup.fee_paid_by = 'USER' and topup.credited > 0 then topup.booked_fee else 0 end`,
  'the reversal of the record': 'topup.booked_reversal = topup.reversed',
  'the charge of its entries': `topup.charged_fee + topup.booked_reversal
    = coalesce(moved.charged, 0)`,
});

const BOOKED: readonly Check[] = [
  {
    claim:
      'the fee on a top-up is posted as the record shows it, and charged to whom the terms say',
    of: 'topup',
    broken: `select topup.marketplace_id as marketplace, topup.id as topup, topup.fee,
        topup.booked_fee, topup.charged_fee, moved.fee as fee_entries, moved.charged,
        ${fees.wrong} as "not"
      from topup left join (${MOVED}) moved
        on moved.marketplace_id = topup.marketplace_id and moved.subject_id = topup.id
      where ${fees.any}`,
  },
];

/** What each pay-in has brought the platform, by the provider's own journal. */
const SETTLED = `
  select code, sum(case effect when 'payment.payin.reverse' then -amount
      else amount - coalesce(fee, 0) end) * 100 as minor from ${JOURNAL}
  where effect in ('payment.payin.confirm', 'payment.payin.reverse', 'payment.payin.reinstate')
  group by 1`;

const BOOKED_NET = `topup.credited + topup.suspended - topup.booked_fee - topup.booked_reversal`;
const SAME = 'each pay-in has brought what the books have for it: its amount less the fee';

export const providerNet: Invariant = {
  id: 'I29',
  claim: 'the books have at the payment provider what it received, less its fees',
  check: async (sql) => [
    ...(await findAll(sql, BOOKED)),
    sql.journal === undefined
      ? skip(SAME, NO_JOURNAL)
      : await find(sql, {
          claim: SAME,
          of: 'topup',
          values: journalValues(sql.journal),
          broken: `select topup.id as topup, topup.status, topup.fee,
              ${BOOKED_NET} as ours, settled.minor as theirs
            from topup left join (${SETTLED}) settled on settled.code = topup.id
            where ${BOOKED_NET} <> coalesce(settled.minor, 0)
              and (${sql.isConverged} or not exists (select from topup_poll poll
                where poll.marketplace_id = topup.marketplace_id and poll.topup_id = topup.id))`,
        }),
  ],
};
