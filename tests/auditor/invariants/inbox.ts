//! I13: what a provider told us is kept once, and changed something once or nothing at all.
import { breaches, find, findRepeats, type Invariant } from '../invariant.ts';

/** What an event changes is written down under the request that brought it. */
const DEEDS = `
  select marketplace_id, correlation_id, count(*) as deeds from audit
  where action <> 'WEBHOOK_PARKED' group by 1, 2`;

const { wrong, any } = breaches({
  'an order of its marketplace': `told.resource_id is null or told.provider <> 'escrow-provider'
    or made.id is not null`,
  'an owner where it has ended': `told.status in ('PENDING', 'PARKED') or told.marketplace_id is not null`,
  'a deed exactly where it was applied': `(told.status = 'APPLIED') = (deed.deeds is not null)`,
  'a reason where it was parked': `told.status <> 'PARKED' or told.last_error is not null`,
});

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
        left join orders made
          on made.marketplace_id = told.marketplace_id and made.id = told.resource_id
        left join (${DEEDS}) deed on deed.marketplace_id = told.marketplace_id
          and deed.correlation_id = told.correlation_id
        where ${any}`,
    }),
  ],
};
