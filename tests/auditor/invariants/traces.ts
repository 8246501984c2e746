//! I10: every change left exactly one event and one audit row, and neither exists without it.
import { allEvents, countEvents } from '../events.ts';
import {
  breaches,
  type Check,
  type Finding,
  find,
  findAll,
  type Invariant,
  type Sql,
} from '../invariant.ts';
import { KINDS, SUBJECT_ACCOUNT } from '../kinds.ts';

const SAME_REQUEST = {
  'the actor of the entry': 'trace.actor_id = entry.actor_id',
  'the request of the entry': 'trace.correlation_id = entry.correlation_id',
};
const EVENT_RULES = {
  ...SAME_REQUEST,
  'the type of its kind': 'trace.event_type = kinds.event',
  'the user whose balance changed': 'trace.aggregate_id = subject.owner_id',
};
const AUDIT_RULES = {
  ...SAME_REQUEST,
  'the action of its kind': `trace.action = any (kinds.actions) and trace.result = 'SUCCESS'`,
  'the user whose balance changed': `trace.resource_type = 'Balance'
    and trace.resource_id = subject.owner_id`,
  'the time of the entry': 'trace.occurred_at = entry.created_at',
};

export const traces: Invariant = {
  id: 'I10',
  claim: 'every change left exactly one event and one audit row, and neither exists without it',
  async check(sql) {
    const events = `(${await allEvents(sql)})`;
    const eventCount = await countEvents(sql);
    return [
      ...(await compare(sql, events, eventCount, 'event', EVENT_RULES)),
      ...(await compare(sql, 'audit', await sql.count('audit'), 'audit row', AUDIT_RULES)),
      ...(await findAll(sql, creations(events))),
    ];
  },
};

async function compare(
  sql: Sql,
  trace: string,
  of: number,
  name: string,
  rules: Readonly<Record<string, string>>,
): Promise<Finding[]> {
  const agreed = await find(sql, {
    claim: `every entry has an ${name} that says the same, and every such ${name} its entry`,
    of,
    broken: agreement(trace, name, rules),
  });
  // As many traces as entries, and none unmatched: then no entry has two, and none is counted.
  const [traced] = await sql.rows(`select count(entry_id) as total from ${trace} traces`);
  const { total } = traced ?? {};
  const isPaired = agreed.broken === 0 && Number(total) === (await sql.count('entry'));
  const repeated = await find(sql, {
    claim: `no entry has two ${name}s`,
    of,
    broken: `select marketplace_id as marketplace, entry_id as entry, count(*) as times
      from ${trace} traces where ${!isPaired} and entry_id is not null
      group by 1, 2 having count(*) > 1`,
  });
  return [agreed, repeated];
}

function creations(events: string): Check[] {
  return [
    {
      claim: 'every user has one user.created and one USER_CREATED, by one actor, in one request',
      of: 'users',
      broken: userCreation(events),
    },
    {
      claim: 'every marketplace has one MARKETPLACE_CREATED',
      of: 'marketplace',
      broken: creation(
        '(select id as marketplace_id, public_id as id from marketplace)',
        'MARKETPLACE_CREATED',
        '',
      ),
    },
    {
      claim: 'every API key has one API_KEY_CREATED, or comes of an API_KEY_ROTATED',
      of: 'api_key',
      broken: creation(
        'api_key',
        'API_KEY_CREATED',
        `and not (audited.times is null
          and exists (select from audit where action = 'API_KEY_ROTATED' and result = 'SUCCESS'
            and marketplace_id = made.marketplace_id
            and resource_id in (made.id, made.rotated_from)))`,
      ),
    },
  ];
}

/** Both directions in one pass: an entry without its trace, a trace without its entry. */
function agreement(trace: string, name: string, rules: Readonly<Record<string, string>>): string {
  const { wrong, any } = breaches(rules);
  return `select coalesce(entry.marketplace_id, trace.marketplace_id) as marketplace,
      coalesce(entry.id, trace.entry_id) as entry, entry.kind,
      case when entry.id is null then 'an entry' when trace.entry_id is null then 'an ${name}'
        else ${wrong} end as "not"
    from entry left join ${KINDS} on kinds.kind = entry.kind
    left join account subject on subject.id = ${SUBJECT_ACCOUNT}
    full join (select * from ${trace} traces where entry_id is not null) trace
      on trace.marketplace_id = entry.marketplace_id and trace.entry_id = entry.id
    where ${any}`;
}

function userCreation(events: string): string {
  const { wrong, any } = breaches({
    'a user': 'users.id is not null',
    'one user.created': 'event.times = 1',
    'one USER_CREATED': 'audited.times = 1',
    'one actor': 'event.actor = audited.actor',
    'one request': 'event.request = audited.request',
  });
  const seen = 'count(*) as times, min(actor_id) as actor, min(correlation_id) as request';
  return `select marketplace_id as marketplace, id as user, ${wrong} as "not"
    from users
    full join (select marketplace_id, aggregate_id as id, ${seen} from ${events} events
      where event_type = 'user.created' group by 1, 2) event using (marketplace_id, id)
    full join (select marketplace_id, resource_id as id, ${seen} from audit
      where action = 'USER_CREATED' and resource_type = 'User' and result = 'SUCCESS'
      group by 1, 2) audited using (marketplace_id, id)
    where ${any}`;
}

/** Every row of a table was made by somebody who is on record; nothing is on record unmade. */
function creation(table: string, action: string, unless: string): string {
  return `select coalesce(made.marketplace_id, audited.marketplace_id) as marketplace,
      coalesce(made.id, audited.resource_id) as id, coalesce(audited.times, 0) as times
    from ${table} made
    full join (select marketplace_id, resource_id, count(*) as times
      from audit where action = '${action}' and result = 'SUCCESS' group by 1, 2) audited
      on audited.marketplace_id = made.marketplace_id and audited.resource_id = made.id
    where (made.id is null or audited.times is distinct from 1) ${unless}`;
}
