//! I13: every provider notification is stored once, and had its effect once or not at all.

import { WEBHOOKS } from '../external-state.ts';
import { breaches, find, findRepeats, type Invariant, skip } from '../invariant.ts';

/** The changes by an event are recorded under the request that delivered it. */
const ACTIONS = `
  select marketplace_id, correlation_id, count(*) as records from audit
  where action <> 'WEBHOOK_PARKED' group by 1, 2`;

const { wrong, any } = breaches({
  'an order, a top-up or a withdrawal of its marketplace': `notification.resource_id is null
    or made.id is not null`,
  'an owner where it has ended': `notification.status in ('PENDING', 'PARKED') or notification.marketplace_id is not null`,
  'an audit row exactly where applied': `(notification.status = 'APPLIED') = (audited.records is not null)`,
  'a reason where it was parked': `notification.status <> 'PARKED' or notification.last_error is not null`,
  // An event that matches no marketplace is only logged: it belongs to no marketplace's audit log.
  'an alarm exactly where it was parked': `notification.marketplace_id is null
    or (notification.status = 'PARKED') = (alarm.alarms is not null)`,
});

const ALARMS = `
  select marketplace_id, after->>'provider' as provider, after->>'webhookId' as event,
    count(*) as alarms
  from audit where action = 'WEBHOOK_PARKED' group by 1, 2, 3`;

const ABOUT = `(select 'escrow-provider' as provider, marketplace_id, id from orders
  union all select 'payment-provider', marketplace_id, id from topup
  union all select 'payment-provider', marketplace_id, id from withdrawal)`;

const ARRIVED = 'every acknowledged webhook is stored unchanged';

export const inbox: Invariant = {
  id: 'I13',
  claim: 'every provider notification is stored once, and had its effect once or not at all',
  check: async (sql) => [
    await findRepeats(sql, 'inbox', ['provider', 'provider_event_id']),
    await find(sql, {
      claim: 'owner, audit row and reason of every event match its status',
      of: 'inbox',
      broken: `select notification.provider, notification.provider_event_id as event, notification.status,
          notification.resource_id as resource, ${wrong} as "not"
        from inbox notification
        left join ${ABOUT} made on made.provider = notification.provider
          and made.marketplace_id = notification.marketplace_id and made.id = notification.resource_id
        left join (${ACTIONS}) audited on audited.marketplace_id = notification.marketplace_id
          and audited.correlation_id = notification.correlation_id
        left join (${ALARMS}) alarm on alarm.marketplace_id = notification.marketplace_id
          and alarm.provider = notification.provider and alarm.event = notification.provider_event_id
        where ${any}`,
    }),
    sql.external === undefined
      ? skip(ARRIVED, 'not part of this check: requires the sandbox')
      : await find(sql, {
          claim: ARRIVED,
          of: sql.external.webhooks.length,
          values: [JSON.stringify(sql.external.webhooks)],
          broken: `select arrived.provider, arrived.event, kept.status
            from ${WEBHOOKS(1)} left join inbox kept on kept.provider = arrived.provider
              and kept.provider_event_id = arrived.event
            where kept.body is distinct from arrived.body`,
        }),
  ],
};
