//! I20: the audit log is complete, and only the owner of the tables can rewrite it or the books.
import { breaches, findAll, findRepeats, type Invariant } from '../invariant.ts';
import { CHAIN_CHECKS } from './audit-chain.ts';

/** The id is created with the request, the time with its batch: a recovery may come between. */
const APART_MAX = `interval '10 minutes'`;

const { wrong, any } = breaches({
  'an id': `octet_length(audit.id) = 31 and starts_with(audit.id, 'aud_')`,
  // Operators belong to the platform, so changes of operators have no marketplace; the history of
  // the database has none either. A refused sign-in may be of no account at all.
  'a marketplace': `marketplace.id is not null or (audit.marketplace_id = 0
    and (audit.resource_type = 'Operator' or audit.action = 'SIGN_IN_REFUSED'
      or starts_with(audit.action, 'LINEAGE_')))`,
  'a known result': `audit.result in ('SUCCESS', 'FAILURE')`,
  'a known actor type': `audit.actor_type in ('API_KEY', 'MASTER_KEY', 'MEMBER', 'OPERATOR', 'SYSTEM',
    'PROVIDER')`,
  'an actor': `audit.actor_id <> ''`,
  'a request': `audit.correlation_id <> ''`,
});

// Ids start with eleven base-32 digits of microseconds. Six of them resolve half a minute, so rows
// are decoded a group at a time.
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const GROUP_SECONDS = `interval '33.554432 seconds'`;
const GROUP_START = `timestamptz 'epoch' + ${GROUP_SECONDS} * (
  ${[1, 2, 3, 4, 5, 6]
    .map(
      (at) => `(strpos('${DIGITS}', substr(digits, ${at}, 1)) - 1)
      * power(32::float8, ${6 - at})`,
    )
    .join(' + ')})`;

// Audit log, journal, event log and chain are append-only, each with its own writers. The books'
// functions change balances, and the sequencer changes heads.
const ROOTS = `('audit'), ('entry'), ('account'), ('audit_link'), ('event'), ('event_head')`;
const MAY = `(role.rolname = 'holdfast_books' and root.name in ('audit', 'entry', 'account')
    and (privilege.name = 'INSERT' or (privilege.name = 'UPDATE' and root.name = 'account')))
  or (role.rolname = 'holdfast_sequencer' and root.name in ('audit_link', 'event', 'event_head')
    and (privilege.name = 'INSERT' or (privilege.name = 'UPDATE' and root.name = 'event_head')))
  or (role.rolname in ('holdfast_api', 'holdfast_worker', 'holdfast_operator')
    and privilege.name = 'INSERT' and root.name = 'audit')`;

export const auditTrail: Invariant = {
  id: 'I20',
  claim: 'the audit log is complete, and only the owner can rewrite it or the books',
  async check(sql) {
    const shape = await findAll(sql, [
      {
        claim: 'id, marketplace, result, actor and request of every audit row are legal',
        of: 'audit',
        broken: `select audit.marketplace_id as marketplace, audit.id as audit, audit.action,
            ${wrong} as "not"
          from audit left join marketplace on marketplace.id = audit.marketplace_id where ${any}`,
      },
      {
        claim: 'the time of every audit row is within ten minutes of the time in its id',
        of: 'audit',
        broken: `select audit.marketplace_id as marketplace, audit.id as audit, audit.occurred_at,
            groups.start as id_from
          from (select digits, ${GROUP_START} as start, first, last
            from (select substr(id, 5, 6) as digits, min(occurred_at) as first, max(occurred_at) as last
              from audit group by 1) spans offset 0) groups
          join audit on substr(audit.id, 5, 6) = groups.digits
          where (translate(digits, '${DIGITS}', '') <> ''
              or first < start - ${APART_MAX}
              or last > start + ${GROUP_SECONDS} + ${APART_MAX})
            and (translate(audit.id, 'aud_${DIGITS}', '') <> ''
              or audit.occurred_at < start - ${APART_MAX}
              or audit.occurred_at > start + ${GROUP_SECONDS} + ${APART_MAX})`,
      },
      {
        claim: 'no role of the service may change or remove rows of audit log, books and event log',
        of: `pg_roles where rolname like 'holdfast\\_%'`,
        broken: `select role.rolname as role, part.relid::text as "table", privilege.name as may
          from pg_roles role
          cross join (values ${ROOTS}) as root (name)
          cross join lateral (select relid::regclass from pg_partition_tree(root.name::regclass)
            union select root.name::regclass) part
          cross join (values ('INSERT'), ('UPDATE'), ('DELETE'), ('TRUNCATE')) as privilege (name)
          where role.rolname like 'holdfast\\_%' and not (${MAY})
            and (has_table_privilege(role.oid, part.relid, privilege.name)
              or (privilege.name in ('INSERT', 'UPDATE')
                and has_any_column_privilege(role.oid, part.relid, privilege.name)))`,
      },
    ]);
    const repeats = await findRepeats(sql, 'audit', ['marketplace_id', 'id']);
    return [...shape, repeats, ...(await findAll(sql, CHAIN_CHECKS))];
  },
};
