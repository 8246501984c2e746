//! Part of I10: a consumer that reads nothing but the balance events of a marketplace arrives at
//! the balances of every user.
import { RETAINED } from '../events.ts';
import { breaches, type Check } from '../invariant.ts';

const minor = (field: string) => `(event.payload->>'${field}')::numeric * 100`;

/** Only a log from its first event on adds up to a balance. */
const STATED = `select event.marketplace_id, event.aggregate_id as user_id,
    event.payload->>'currency' as currency, event.id as event_id, event.position,
    ${minor('amount')} as amount, ${minor('newAvailableBalance')} as stated_available,
    ${minor('newReservedBalance')} as stated_reserved,
    case when event.event_type = 'balance.credited' then 'in'
      when event.event_type = 'balance.reserved' then 'held'
      when event.event_type = 'balance.released' then 'returned'
      when event.event_type = 'balance.debited' and event.payload->>'newReservedBalance' is null
        then 'out'
      when event.event_type = 'balance.debited' then 'spent' end as way
  from event join ${RETAINED} kept on kept.marketplace_id = event.marketplace_id
  where starts_with(event.event_type, 'balance.') and kept.since = '-infinity'`;

const REPLAYED = `select stated.*,
    sum(case when way in ('in', 'returned') then amount when way in ('held', 'out') then -amount
      else 0 end) over history as available,
    sum(case way when 'held' then amount when 'returned' then -amount when 'spent' then -amount
      else 0 end) over history as reserved
  from (${STATED}) stated
  window history as (partition by marketplace_id, user_id, currency order by position
    rows unbounded preceding)`;

const figures = breaches({
  'the available balance': 'stated_available = available',
  'the reserved balance': 'coalesce(stated_reserved, reserved) = reserved',
  'a known way': 'way is not null',
});

const BALANCE_EVENTS = `event where starts_with(event_type, 'balance.')`;

export const REPLAYS: readonly Check[] = [
  {
    claim: 'the balances in an event are the sum of the amounts in the events up to it',
    of: BALANCE_EVENTS,
    broken: `select marketplace_id as marketplace, user_id as "user", currency, event_id as event,
        stated_available, available, stated_reserved, reserved, ${figures.wrong} as "not"
      from (${REPLAYED}) replayed where ${figures.any}`,
  },
  {
    // A user with an event that has no position yet is ahead of the log.
    claim: "the events of a user's balance, and nothing else, add up to the user's balance",
    of: BALANCE_EVENTS,
    broken: `select account.marketplace_id as marketplace, account.owner_id as "user",
        account.currency, account.available, replayed.available as replayed_available,
        account.reserved, replayed.reserved as replayed_reserved
      from account join ${RETAINED} kept on kept.marketplace_id = account.marketplace_id
      left join (select distinct on (marketplace_id, user_id, currency) *
          from (${REPLAYED}) steps order by marketplace_id, user_id, currency, position desc) replayed
        on replayed.marketplace_id = account.marketplace_id
          and replayed.user_id = account.owner_id and replayed.currency = account.currency
      where account.kind = 'user' and kept.since = '-infinity'
        and not exists (select from outbox where outbox.marketplace_id = account.marketplace_id
          and outbox.aggregate_id = account.owner_id and outbox.entry_id is not null)
        and (account.available, account.reserved) is distinct from
          (coalesce(replayed.available, 0), coalesce(replayed.reserved, 0))`,
  },
];
