//! I8: a top-up is credited exactly when its money came in, once. A withdrawal is held once, and
//! paid out or returned once.
import { breaches, type Check, find, findAll, type Invariant, skip } from '../invariant.ts';
import { JOURNAL, journalValues, NO_JOURNAL } from '../journal.ts';

/** The entries of each subject by kind: their number, and the amounts they moved. */
const MOVED = `
  select marketplace_id, subject_id,
    count(*) filter (where kind = 'topup') as credits,
    sum(amount) filter (where kind = 'topup') as credited,
    coalesce(sum(case kind when 'topup_suspense' then amount
      when 'topup_suspense_return' then -amount end), 0) as suspended,
    count(*) filter (where kind = 'withdrawal_hold') as holds,
    count(*) filter (where kind = 'withdrawal_hold_return') as returns,
    count(*) filter (where kind = 'withdrawal_return') as payout_returns,
    count(*) filter (where kind in ('withdrawal_payout', 'withdrawal_crypto')) as payments,
    min(kind) filter (where kind in ('withdrawal_payout', 'withdrawal_crypto')) as paid_by,
    bool_and(kind = 'withdrawal_suspense' or amount = whole.requested) as is_whole,
    bool_and(owner is null or owner = whole.user_id) as is_theirs,
    -- Out of clearing, whichever way: what the outside world is known to have paid.
    coalesce(sum(case
      when kind in ('withdrawal_payout', 'withdrawal_crypto', 'withdrawal_retake') then amount
      when kind = 'withdrawal_suspense' and to_kind = 'payment_clearing' then amount
      when kind in ('withdrawal_suspense', 'withdrawal_return') then -amount end), 0) as paid
  from (select entry.*, target.kind as to_kind, coalesce(
        case when source.kind = 'user' then source.owner_id end,
        case when target.kind = 'user' then target.owner_id end) as owner
      from entry left join account source on source.id = entry.from_account
      left join account target on target.id = entry.to_account
      where entry.kind ~ '^(topup|withdrawal)') moved
  join lateral (select coalesce(topup.amount, withdrawal.amount) as requested,
      coalesce(topup.user_id, withdrawal.user_id) as user_id
    from (select 1) one
    left join topup on topup.marketplace_id = moved.marketplace_id and topup.id = moved.subject_id
    left join withdrawal on withdrawal.marketplace_id = moved.marketplace_id
      and withdrawal.id = moved.subject_id) whole on true
  group by 1, 2`;

const topups = breaches({
  'a credit exactly when it succeeded': `coalesce(moved.credits, 0)
    = case when requested.status = 'TOPUP_SUCCEEDED' then 1 else 0 end`,
  'its amount, to its user': `coalesce(moved.credits, 0) = 0
    or (moved.credited = requested.amount and moved.is_theirs)`,
  'the credited and suspended amounts of the books': `requested.credited = coalesce(moved.credited, 0)
    and requested.suspended = coalesce(moved.suspended, 0)`,
  // Money in another currency goes to suspense, and none of it to the user.
  'all that came in, credited or suspended': `requested.received is null
    or requested.received = requested.credited + requested.suspended`,
  'nothing where nothing came in': `requested.received is not null
    or (requested.suspended = 0 and requested.status <> 'TOPUP_SUCCEEDED')`,
});

const withdrawals = breaches({
  'one hold': 'moved.holds = 1',
  'its amount, of its user': 'moved.is_whole and moved.is_theirs',
  'paid out once, when completed': `coalesce(moved.payments, 0)
    = case when requested.status = 'WITHDRAWAL_COMPLETED' then 1 else 0 end`,
  'returned once, when failed or canceled': `coalesce(moved.returns, 0)
    = case when requested.status in ('WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED') then 1 else 0 end`,
  'given back at most once, when the payout came back': `coalesce(moved.payout_returns, 0)
    = case when requested.returned > 0 then 1 else 0 end`,
  'the requested destination type': `moved.paid_by is null or moved.paid_by
    = case requested.destination_type when 'crypto' then 'withdrawal_crypto' else 'withdrawal_payout' end`,
  'its money held exactly until it ended': `coalesce(held.remaining, 0) = case when requested.status in
    ('WITHDRAWAL_COMPLETED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED') then 0 else requested.amount end`,
  'the paid amount of the books': 'requested.paid = coalesce(moved.paid, 0)',
});

const BOOKED: readonly Check[] = [
  {
    claim:
      'a top-up is credited once exactly when it succeeded; other money received is in the suspense account',
    of: 'topup',
    broken: `select requested.marketplace_id as marketplace, requested.id as topup, requested.status, requested.amount,
        requested.received, moved.credited, moved.suspended, ${topups.wrong} as "not"
      from topup requested left join (${MOVED}) moved
        on moved.marketplace_id = requested.marketplace_id and moved.subject_id = requested.id
      where ${topups.any}`,
  },
  {
    claim: 'a withdrawal is held once, and paid out or returned once, as its status requires',
    of: 'withdrawal',
    broken: `select requested.marketplace_id as marketplace, requested.id as withdrawal, requested.status,
        requested.amount, requested.paid, moved.holds, moved.returns, moved.payments,
        ${withdrawals.wrong} as "not"
      from withdrawal requested left join (${MOVED}) moved
        on moved.marketplace_id = requested.marketplace_id and moved.subject_id = requested.id
      left join (select marketplace_id, subject_id, sum(remaining) as remaining from reservation
        where owner = 'withdrawal' group by 1, 2) held
        on held.marketplace_id = requested.marketplace_id and held.subject_id = requested.id
      where ${withdrawals.any}`,
  },
  {
    claim: 'every entry of a top-up or a withdrawal belongs to an existing one',
    of: 'entry',
    broken: `select entry.marketplace_id as marketplace, entry.id as entry, entry.kind,
        entry.subject_id as subject
      from entry where entry.kind ~ '^(topup|withdrawal)' and not exists (
        select from (select marketplace_id, id from topup
          union all select marketplace_id, id from withdrawal) requested
        where requested.marketplace_id = entry.marketplace_id and requested.id = entry.subject_id)`,
  },
];

/** Amounts that the provider received or paid for each; a returned payout was never paid. */
const SETTLED = `
  select code, case effect when 'payment.payout.return' then 'payment.payout.complete'
      else effect end as effect, count(*) filter (where effect <> 'payment.payout.return') as times,
    sum(case effect when 'payment.payout.return' then -amount else amount end) * 100 as minor
  from ${JOURNAL}
  where effect in ('payment.payin.confirm', 'payment.payout.complete', 'payment.payout.return')
  group by 1, 2`;

/** Amounts that the books have for each; a payment that is still polled may be recorded later. */
const KNOWN = `
  select marketplace_id, id, 'payment.payin.confirm' as effect, status,
    credited + suspended as minor,
    exists (select from topup_poll look where look.marketplace_id = topup.marketplace_id
      and look.topup_id = topup.id) as is_awaited
  from topup
  union all
  select marketplace_id, id, 'payment.payout.complete', status, paid, next_poll_at is not null
  from withdrawal where destination_type <> 'crypto'`;

const SAME = 'amounts that the payment provider received or paid match the books, once each';

export const payments: Invariant = {
  id: 'I8',
  claim:
    'a top-up is credited exactly when its money came in, and a withdrawal is paid or returned',
  check: async (sql) => [
    ...(await findAll(sql, BOOKED)),
    sql.journal === undefined
      ? skip(SAME, NO_JOURNAL)
      : await find(sql, {
          claim: SAME,
          of: sql.journal.length,
          values: journalValues(sql.journal),
          broken: `select coalesce(known.id, settled.code) as payment, known.status,
              coalesce(settled.effect, known.effect) as effect, known.minor as ours,
              settled.minor as theirs, settled.times
            from (${KNOWN}) known
            full join (${SETTLED}) settled on settled.code = known.id and settled.effect = known.effect
            where known.id is null or settled.times > 1
              or (known.minor <> coalesce(settled.minor, 0)
                and not (known.is_awaited and ${!sql.isConverged}))`,
        }),
  ],
};
