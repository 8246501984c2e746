//! I13: what a provider told us is kept once, and changed something once or nothing at all.
import { breaches, find, findRepeats, type Invariant, skip } from '../invariant.ts';
import { WEBHOOKS } from '../outside.ts';

/** What an event changes is written down under the request that brought it. */
const DEEDS = `
  select marketplace_id, correlation_id, count(*) as deeds from audit
  where action <> 'WEBHOOK_PARKED' group by 1, 2`;

const { wrong, any } = breaches({
  'an order, a top-up or a withdrawal of its marketplace': `told.resource_id is null
    or made.id is not null`,
  'an owner where it has ended': `told.status in ('PENDING', 'PARKED') or told.marketplace_id is not null`,
  'a deed exactly where it was applied': `(told.status = 'APPLIED') = (deed.deeds is not null)`,
  'a reason where it was parked': `told.status <> 'PARKED' or told.last_error is not null`,
  // What fits nothing of ours is told in the log alone: there is nobody whose trail it could be in.
  'an alarm exactly where it was parked': `told.marketplace_id is null
    or (told.status = 'PARKED') = (alarm.alarms is not null)`,
});

const ALARMS = `
  select marketplace_id, after->>'provider' as provider, after->>'webhookId' as event,
    count(*) as alarms
  from audit where action = 'WEBHOOK_PARKED' group by 1, 2, 3`;

const ABOUT = `(select 'escrow-provider' as provider, marketplace_id, id from orders
  union all select 'payment-provider', marketplace_id, id from topup
  union all select 'payment-provider', marketplace_id, id from withdrawal)`;

const ARRIVED = 'every webhook that we took in is kept, as it came';

export const inbox: Invariant = {
  id: 'I13',
  claim: 'what a provider told us is kept once, and changed something once or nothing at all',
  check: async (sql) => [
    await findRepeats(sql, 'inbox', ['provider', 'provider_event_id']),
    await find(sql, {
      claim: 'owner, deed and reason of every event are as its status says',
      of: 'inbox',
      broken: `select told.provider, told.provider_event_id as event, told.status,
          told.resource_id as resource, ${wrong} as "not"
        from inbox told
        left join ${ABOUT} made on made.provider = told.provider
          and made.marketplace_id = told.marketplace_id and made.id = told.resource_id
        left join (${DEEDS}) deed on deed.marketplace_id = told.marketplace_id
          and deed.correlation_id = told.correlation_id
        left join (${ALARMS}) alarm on alarm.marketplace_id = told.marketplace_id
          and alarm.provider = told.provider and alarm.event = told.provider_event_id
        where ${any}`,
    }),
    sql.outside === undefined
      ? skip(ARRIVED, 'not checked: no --sandbox')
      : await find(sql, {
          claim: ARRIVED,
          of: sql.outside.webhooks.length,
          values: [JSON.stringify(sql.outside.webhooks)],
          broken: `select arrived.provider, arrived.event, kept.status
            from ${WEBHOOKS(1)} left join inbox kept on kept.provider = arrived.provider
              and kept.provider_event_id = arrived.event
            where kept.body is distinct from arrived.body`,
        }),
  ],
};
