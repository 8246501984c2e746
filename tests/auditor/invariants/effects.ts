//! I7: every external effect that our operations record happened once, and no other happened.
import { breaches, findAll, type Invariant, skip } from '../invariant.ts';
import { JOURNAL, journalValues, NO_JOURNAL } from '../journal.ts';
import { PAYMENT_CLAIMS, paymentEffects } from './payment-effects.ts';

/** The effect of a step by its name; parts of a contract are numbered after a dash. */
// biome-ignore format: a table.
const EFFECTS: Readonly<Record<string, string>> = {
  deploy:   'escrow.deploy',
  fund:     'escrow.fund',
  complete: 'escrow.status',
  approve:  'escrow.approve',
  release:  'escrow.release',
  dispute:  'escrow.dispute',
  resolve:  'escrow.resolve',
};

const EXPECTED = `(values ${Object.entries(EFFECTS)
  .map(([step, effect]) => `('${step}', '${effect}')`)
  .join(', ')}) as meant (name, effect)`;

/** At most one envelope of a purpose took effect or still may; the network knows it by its hash. */
const STEPS = `
  select step.marketplace_id, operation.resource_id, step.operation_id, step.name, step.status,
    meant.effect, sent.hash, operation.status in ('RUNNING', 'ESCALATED') as is_open,
    substring(step.name from '-(\\d+)$')::int - 1 as part
  from operation_step step
  join operation on operation.marketplace_id = step.marketplace_id
    and operation.id = step.operation_id
  join ${EXPECTED} on meant.name = regexp_replace(step.name, '-\\d+$', '')
  left join envelope sent on sent.marketplace_id = step.marketplace_id
    and sent.purpose = step.purpose and sent.state in ('OPEN', 'APPLIED')`;

const { wrong, any } = breaches({
  'a step': 'step.name is not null',
  'an effect': `happened.seq is not null or step.status <> 'DONE'`,
  'a step that was done, or is open': `happened.seq is null or step.status = 'DONE'
    or (step.status = 'CLAIMED' and step.is_open)`,
  'the effect of its step': 'happened.seq is null or happened.effect = step.effect',
  'the order of its operation': `happened.seq is null or happened."orderId" = step.resource_id`,
  'the part of its step': `happened.seq is null
    or happened."milestoneIndex" is not distinct from step.part`,
});

/** Our payments: from a user's address, or from an address that we have paid from otherwise. */
const OUR_PAYMENTS = `
  select journal.* from ${JOURNAL} where journal.effect = 'ledger.payment' and journal."from" in (
    select address from wallet where address is not null
    union select other."from" from ${JOURNAL.replace('as journal', 'as other')}
      join envelope on envelope.hash = other."txHash")`;

const CLAIMS = {
  steps: 'every finished step took effect, and every effect on a contract has its step',
  repeats: 'nothing was done to a contract, or to a part of one, twice',
  payments: 'every payment of ours is recorded, and every settled one was sent',
  transfers: 'every transfer that aligns an address with the books was sent once, in full',
};

/** The amount each mirror batch intended for an address, and the amount its transaction moved. */
const TRANSFERS = `
  select sent.hash, item.address, item.asset, sum(item.stroops) / 10000000.0 as amount
  from mirror_item item join envelope sent on sent.marketplace_id = item.marketplace_id
    and sent.purpose = 'mirror:' || item.batch_id and sent.state = 'APPLIED'
  where item.status = 'APPLIED' group by 1, 2, 3`;
/** One that is under way is not recorded yet. */
const MOVED = `
  select journal."txHash" as hash, side.address, journal.asset, sum(side.amount) as amount
  from ${JOURNAL} join envelope sent on sent.hash = journal."txHash"
      and sent.purpose ~ '^mirror:' and sent.state <> 'OPEN',
    lateral (values (journal."to", journal.amount), (journal."from", -journal.amount))
      as side (address, amount)
  where side.address in (select address from wallet) group by 1, 2, 3`;

export const effects: Invariant = {
  id: 'I7',
  claim: 'every recorded external effect happened once, and no other happened',
  async check(sql) {
    if (sql.journal === undefined)
      return Object.values({ ...CLAIMS, ...PAYMENT_CLAIMS }).map((claim) =>
        skip(claim, NO_JOURNAL),
      );
    const values = journalValues(sql.journal);
    const of = sql.journal.length;
    return findAll(sql, [
      {
        claim: CLAIMS.steps,
        of,
        values,
        broken: `select coalesce(step.resource_id, happened."orderId") as "order",
            step.operation_id as operation, step.name as step, step.status, happened.effect,
            happened.seq, happened."txHash" as hash, ${wrong} as "not"
          from (${STEPS}) step
          full join (select * from ${JOURNAL} where journal.effect like 'escrow.%') happened
            on happened."txHash" = step.hash
          where ${any}`,
      },
      {
        claim: CLAIMS.repeats,
        of,
        values,
        broken: `select "contractId" as contract, min("orderId") as "order", effect,
            "milestoneIndex" as part, count(*) as times
          from ${JOURNAL} where effect like 'escrow.%' group by 1, 3, 4 having count(*) > 1`,
      },
      {
        claim: CLAIMS.payments,
        of,
        values,
        broken: `select sent.purpose, sent.state, paid.seq, paid."from", paid.amount,
            coalesce(sent.hash, paid."txHash") as hash
          from (select * from envelope where purpose ~ '(^mirror|:cover-\\d+|:pay):'
            and state in ('OPEN', 'APPLIED')) sent
          full join (${OUR_PAYMENTS}) paid on paid."txHash" = sent.hash
          where sent.hash is null or (paid.seq is null and sent.state = 'APPLIED')`,
      },
      {
        claim: CLAIMS.transfers,
        of,
        values,
        broken: `select hash, address, asset, meant.amount as meant, moved.amount as moved
          from (${TRANSFERS}) meant full join (${MOVED}) moved using (hash, address, asset)
          where meant.amount is distinct from moved.amount`,
      },
      ...paymentEffects(sql.journal),
    ]);
  },
};
