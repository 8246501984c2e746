//! I6: an order is settled once, completely, and as agreed or decided.
import { breaches, findAll, type Invariant } from '../invariant.ts';

const SETTLING = `('order_release', 'order_fee', 'order_refund')`;

const SETTLEMENTS = `
  select marketplace_id, subject_id,
    sum(amount) filter (where kind = 'order_release') as net,
    sum(amount) filter (where kind = 'order_fee') as fee,
    sum(amount) filter (where kind = 'order_refund') as refund,
    count(*) as entries, count(distinct kind) as kinds,
    count(distinct (correlation_id, created_at)) as times
  from entry where kind in ${SETTLING} group by 1, 2`;

const gross = '(coalesce(paid.net, 0) + coalesce(paid.fee, 0))';

const { wrong, any } = breaches({
  'one settlement': 'paid.entries is null or (paid.entries = paid.kinds and paid.times = 1)',
  'a settlement exactly when that closed it': `(paid.entries is not null)
    = (coalesce(made.close_reason, '') in ('RELEASED', 'REFUNDED', 'SPLIT'))`,
  'all of its amount paid out': `paid.entries is null
    or ${gross} + coalesce(paid.refund, 0) = made.amount`,
  'paid to the party of its close reason': `case made.close_reason
    when 'RELEASED' then paid.net is not null and paid.refund is null
    when 'REFUNDED' then paid.net is null and paid.fee is null and paid.refund is not null
    when 'SPLIT' then paid.net is not null and paid.refund is not null
    else true end`,
  // A partial amount has a proportional fee, to the nearest cent.
  'the fee that was agreed': `case made.close_reason
    when 'RELEASED' then coalesce(paid.fee, 0) = made.fee
    when 'SPLIT' then abs(coalesce(paid.fee, 0) * 10000 - ${gross} * made.fee_basis_points) <= 5000
    else true end`,
  'the decided amounts': `paid.entries is null or dispute.decision is null
    or (${gross}, coalesce(paid.refund, 0)) = (dispute.release_amount, dispute.refund_amount)`,
});

export const settlements: Invariant = {
  id: 'I6',
  claim: 'an order is settled once, completely, and as agreed or decided',
  check: (sql) =>
    findAll(sql, [
      {
        claim: 'seller, fee and buyer get the amount of a closed order, in one transaction',
        of: 'orders',
        broken: `select made.marketplace_id as marketplace, made.id as "order", made.close_reason,
            made.amount, paid.net, paid.fee, paid.refund, ${wrong} as "not"
          from orders made
          left join (${SETTLEMENTS}) paid
            on paid.marketplace_id = made.marketplace_id and paid.subject_id = made.id
          left join dispute
            on dispute.marketplace_id = made.marketplace_id and dispute.id = made.dispute_id
          where ${any}`,
      },
      {
        claim: 'every payment out of an escrow belongs to an existing order',
        of: 'entry',
        broken: `select entry.marketplace_id as marketplace, entry.id as entry, entry.kind,
            entry.subject_id as "order"
          from entry left join orders made
            on made.marketplace_id = entry.marketplace_id and made.id = entry.subject_id
          where entry.kind in ${SETTLING} and made.id is null`,
      },
    ]),
};
