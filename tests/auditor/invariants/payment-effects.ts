//! Part of I7: effects at the payment provider, and network payments that cover an address before
//! it pays or that pay a withdrawal.
import { breaches, type Check } from '../invariant.ts';
import { JOURNAL, type Journal, journalValues } from '../journal.ts';

export const PAYMENT_CLAIMS = {
  provider: 'every pay-in and payout belongs to a step of ours, once, with its amount',
  covers: 'every funding of an address was charged to its treasury share and sent once, in full',
  payouts: 'every withdrawal over the network was paid once, in full, to its destination',
};

const STEPS = `
  select requested.id, requested.amount, step.name, step.status,
    case requested.kind || ' ' || step.name when 'TopUp create' then 'payment.payin.create'
      when 'Withdrawal create' then 'payment.payout.create'
      when 'Withdrawal commit' then 'payment.payout.commit' end as effect,
    operation.status in ('RUNNING', 'ESCALATED') as is_open
  from (select marketplace_id, id, amount, 'TopUp' as kind from topup
    union all select marketplace_id, id, amount, 'Withdrawal' from withdrawal
      where destination_type <> 'crypto') requested
  join operation on operation.marketplace_id = requested.marketplace_id
    and operation.resource_id = requested.id
  join operation_step step on step.marketplace_id = operation.marketplace_id
    and step.operation_id = operation.id and step.name in ('create', 'commit')`;

const HAPPENED = `
  select code, effect, count(*) as times, min(amount) as amount, min(seq) as seq from ${JOURNAL}
  where effect in ('payment.payin.create', 'payment.payout.create', 'payment.payout.commit')
  group by 1, 2`;

const provider = breaches({
  'a step': 'step.id is not null',
  'an effect': `happened.seq is not null or step.status <> 'DONE'`,
  'a step that was done, or is open': `happened.seq is null or step.status = 'DONE'
    or (step.status = 'CLAIMED' and step.is_open)`,
  'its amount': 'happened.seq is null or happened.amount * 100 = step.amount',
  once: 'happened.seq is null or happened.times = 1',
});

const COVERS = `
  select sent.purpose, sent.hash, draw.stroops / 10000000.0 as drawn, draw.asset
  from envelope sent left join treasury_draw draw
    on draw.marketplace_id = sent.marketplace_id and draw.purpose = sent.purpose
  where sent.purpose ~ ':cover-\\d+:' and sent.state = 'APPLIED'`;

const PAYOUTS = `
  select requested.*, sent.hash, sent.state, wallet.address
  from withdrawal requested
  join operation on operation.marketplace_id = requested.marketplace_id
    and operation.resource_id = requested.id
  join envelope sent on sent.marketplace_id = requested.marketplace_id
    and sent.purpose = operation.kind || ':pay:' || operation.id
    and sent.state in ('OPEN', 'APPLIED')
  left join wallet on wallet.marketplace_id = requested.marketplace_id
    and wallet.user_id = requested.user_id
  where requested.destination_type = 'crypto'`;

const payouts = breaches({
  'a withdrawal': 'meant.id is not null',
  'a payment': `paid.seq is not null or meant.state = 'OPEN'`,
  'its amount': `paid.seq is null or (paid.amount * 100, paid.asset)
    = (meant.amount, case meant.currency when 'XLM' then 'XLM' else 'USDC' end)`,
  // A muxed address belongs to an account, and the network shows that account.
  'from its user, to its destination': `paid.seq is null or (paid."from" = meant.address
    and (paid."to" = meant.destination_ref or meant.destination_ref like 'M%'))`,
  'a withdrawal that says so': `paid.seq is null or meant.state = 'OPEN'
    or meant.transaction_hash = meant.hash
    or meant.status in ('WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING')`,
});

export function paymentEffects(journal: Journal): readonly Check[] {
  const [values, of] = [journalValues(journal), journal.length];
  return [
    {
      claim: PAYMENT_CLAIMS.provider,
      of,
      values,
      broken: `select coalesce(step.id, happened.code) as payment, step.name as step, step.status,
          coalesce(happened.effect, step.effect) as effect, happened.seq, happened.times,
          ${provider.wrong} as "not"
        from (${STEPS}) step full join (${HAPPENED}) happened
          on happened.code = step.id and happened.effect = step.effect
        where ${provider.any}`,
    },
    {
      claim: PAYMENT_CLAIMS.covers,
      of,
      values,
      broken: `select meant.purpose, meant.hash, meant.drawn, sum(paid.amount) as made,
          count(paid.seq) as times
        from (${COVERS}) meant
        left join (select * from ${JOURNAL} where effect = 'ledger.payment'
            and "to" in (select address from wallet)) paid
          on paid."txHash" = meant.hash and paid.asset = meant.asset
        group by 1, 2, 3
        having count(paid.seq) <> 1 or sum(paid.amount) is distinct from meant.drawn`,
    },
    {
      claim: PAYMENT_CLAIMS.payouts,
      of,
      values,
      broken: `select meant.id as withdrawal, meant.status, paid.seq, paid.amount, paid."to",
          coalesce(meant.hash, paid."txHash") as hash, ${payouts.wrong} as "not"
        from (${PAYOUTS}) meant
        full join (select * from ${JOURNAL} where effect = 'ledger.payment'
            and "from" in (select address from wallet) and not exists (select from envelope
              where hash = "txHash" and purpose ~ '^mirror:')) paid
          on paid."txHash" = meant.hash
        where ${payouts.any}`,
    },
  ];
}
