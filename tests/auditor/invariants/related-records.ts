//! I10: every change has its event and its audit row, and neither exists without a change.
import { ALL_EVENTS, countEvents, RETAINED } from '../events.ts';
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
import { REPLAYS } from './replayed-balances.ts';

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

export const relatedRecords: Invariant = {
  id: 'I10',
  claim: 'every change has its event and its audit row, and neither exists without a change',
  async check(sql) {
    const eventCount = await countEvents(sql);
    return [
      ...(await compare(sql, { table: ALL_EVENTS, of: eventCount, ...EVENTS })),
      ...(await compare(sql, { table: 'audit', of: await sql.count('audit'), ...AUDITS })),
      ...(await findAll(sql, [ACTIONS, ...REPORTS, ...REPLAYS, ...CREATIONS])),
    ];
  },
};

interface RecordRules {
  readonly name: string;
  readonly rules: Readonly<Record<string, string>>;
  /** The condition for entries that need such a record. */
  readonly wanted: string;
}

const EVENTS: RecordRules = {
  name: 'event',
  rules: EVENT_RULES,
  wanted: 'kinds.event is not null',
};
const AUDITS: RecordRules = {
  name: 'audit row',
  rules: AUDIT_RULES,
  wanted: `kinds.audited_as = 'Balance'`,
};

async function compare(
  sql: Sql,
  relatedRecords: RecordRules & { readonly table: string; readonly of: number },
): Promise<Finding[]> {
  const { name, of, table, wanted } = relatedRecords;
  const agreed = await find(sql, {
    claim: `every entry that needs one has a matching ${name}, and every such ${name} its entry`,
    of,
    broken: agreement(relatedRecords),
  });
  // With as many records as entries and none unmatched, no entry has two, and none is reported.
  const [counted] = await sql.rows(`select
    (select count(entry_id) from ${table} traces) as traces,
    (select count(*) from entry join ${KINDS} on kinds.kind = entry.kind where ${wanted}) as entries`);
  const { traces: traced, entries } = counted ?? {};
  const isPaired = agreed.broken === 0 && traced === entries;
  const repeated = await find(sql, {
    claim: `no entry has two ${name}s`,
    of,
    broken: `select marketplace_id as marketplace, entry_id as entry, count(*) as times
      from ${table} traces where ${!isPaired} and entry_id is not null
      group by 1, 2 having count(*) > 1`,
  });
  return [agreed, repeated];
}

const WAITING_RULES = {
  'an event or an audit row': 'outbox.event_type is not null or outbox.audit_id is not null',
  'its audit row': 'outbox.audit_id is null or audit.id is not null',
  'its entry': 'outbox.entry_id is null or entry.id is not null',
  // An outbox row for both is right only when both belong to one entry.
  'the entry of its audit row': `outbox.entry_id is null or outbox.audit_id is null
    or audit.entry_id = outbox.entry_id`,
  'one request': 'outbox.audit_id is null or audit.correlation_id = outbox.correlation_id',
};
const waiting = breaches(WAITING_RULES);

/** Minor units as the wire writes them. */
const wire = (minor: string) => `to_char(${minor} / 100.0, 'FM9999999999999999990.00')`;
const figures = breaches({
  'the user whose balance changed': `event.payload->>'userId' = event.aggregate_id`,
  'the amount of the entry': `event.payload->>'amount' = ${wire('entry.amount')}`,
  'the currency of the entry': `event.payload->>'currency' = entry.currency`,
  'the balance after it': `event.payload->>'newAvailableBalance'
    = ${wire(`case when event.event_type = 'balance.debited' then entry.from_available
      else coalesce(entry.to_available, entry.from_available) end`)}`,
});

const REPORTS: readonly Check[] = [
  {
    // Waiting rows are no fault, however many: the sequencer will process them.
    claim: 'every waiting outbox row has an existing event or audit row',
    of: 'outbox',
    broken: `select outbox.marketplace_id as marketplace, outbox.id as waiting, outbox.event_type,
        outbox.entry_id as entry, outbox.audit_id as audit, ${waiting.wrong} as "not"
      from outbox
      left join audit on audit.marketplace_id = outbox.marketplace_id and audit.id = outbox.audit_id
      left join entry on entry.marketplace_id = outbox.marketplace_id and entry.id = outbox.entry_id
      where ${waiting.any}`,
  },
  {
    claim: 'every balance event in the log has the figures of its entry',
    of: 'event where entry_id is not null',
    broken: `select event.marketplace_id as marketplace, event.id as event, event.entry_id as entry,
        ${figures.wrong} as "not"
      from event join entry
        on entry.marketplace_id = event.marketplace_id and entry.id = event.entry_id
      where ${figures.any}`,
  },
];

const ACTIONS: Check = {
  claim: 'every entry of an order or payment has the audit row of its action, request and time',
  of: 'entry',
  broken: `select entry.marketplace_id as marketplace, entry.id as entry, entry.kind,
    kinds.audited_as as of, entry.subject_id as subject
  from entry join ${KINDS} on kinds.kind = entry.kind
  where kinds.audited_as <> 'Balance' and not exists (select from audit
    where audit.marketplace_id = entry.marketplace_id and audit.resource_type = kinds.audited_as
      and audit.resource_id = entry.subject_id and audit.action = any (kinds.actions)
      and audit.actor_id = entry.actor_id and audit.correlation_id = entry.correlation_id
      and audit.occurred_at = entry.created_at)`,
};

const CREATIONS: readonly Check[] = [
  {
    claim: 'every user has one user.created and one USER_CREATED, by one actor, in one request',
    of: 'users',
    broken: userCreation(),
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
    claim: 'every API key has one API_KEY_CREATED, or comes from an API_KEY_ROTATED',
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

/**
 * Both directions in one pass: an entry without its record, a record without its entry. An entry
 * from before the first stored event of the log needs no event.
 */
function agreement({
  table,
  name,
  rules,
  wanted,
}: RecordRules & { readonly table: string }): string {
  const { wrong, any } = breaches(rules);
  return `select coalesce(entry.marketplace_id, trace.marketplace_id) as marketplace,
      coalesce(entry.id, trace.entry_id) as entry, entry.kind,
      case when entry.id is null then 'an entry' when trace.entry_id is null then 'an ${name}'
        else ${wrong} end as "not"
    from entry left join ${KINDS} on kinds.kind = entry.kind
    left join account subject on subject.id = ${SUBJECT_ACCOUNT}
    full join (select * from ${table} traces where entry_id is not null) trace
      on trace.marketplace_id = entry.marketplace_id and trace.entry_id = entry.id
    left join ${RETAINED} kept on kept.marketplace_id = entry.marketplace_id
    where ${any} and not (trace.entry_id is null and (coalesce(not (${wanted}), false)
      or (${name === 'event'} and coalesce(entry.created_at < kept.since, false))))`;
}

function userCreation(): string {
  const { wrong, any } = breaches({
    'a user': 'users.id is not null',
    'one user.created': `event.times = 1
      or (event.times is null and users.created_at < kept.since)`,
    'one USER_CREATED': 'audited.times = 1',
    'one actor': 'event.times is null or event.actor = audited.actor',
    'one request': 'event.times is null or event.request = audited.request',
  });
  const seen = 'count(*) as times, min(actor_id) as actor, min(correlation_id) as request';
  return `select marketplace_id as marketplace, id as user, ${wrong} as "not"
    from users
    full join (select marketplace_id, aggregate_id as id, ${seen} from ${ALL_EVENTS} events
      where event_type = 'user.created' group by 1, 2) event using (marketplace_id, id)
    full join (select marketplace_id, resource_id as id, ${seen} from audit
      where action = 'USER_CREATED' and resource_type = 'User' and result = 'SUCCESS'
      group by 1, 2) audited using (marketplace_id, id)
    left join ${RETAINED} kept using (marketplace_id)
    where ${any}`;
}

/** Every row of a table has the audit row of its creation, and every such audit row its row. */
function creation(table: string, action: string, unless: string): string {
  return `select coalesce(made.marketplace_id, audited.marketplace_id) as marketplace,
      coalesce(made.id, audited.resource_id) as id, coalesce(audited.times, 0) as times
    from ${table} made
    full join (select marketplace_id, resource_id, count(*) as times
      from audit where action = '${action}' and result = 'SUCCESS' group by 1, 2) audited
      on audited.marketplace_id = made.marketplace_id and audited.resource_id = made.id
    where (made.id is null or audited.times is distinct from 1) ${unless}`;
}
