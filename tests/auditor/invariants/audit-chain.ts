//! Computes the hash chain over the audit log again from the rows: part of I20.
import { breaches, type Check } from '../invariant.ts';

/** The content of a link: this list of values, as PostgreSQL writes it as JSON. */
const ROW = `jsonb_build_array(audit.marketplace_id, audit.id,
  extract(epoch from audit.occurred_at), audit.action, audit.resource_type, audit.resource_id,
  audit.actor_type, audit.actor_id, audit.result, audit.reason, audit.correlation_id, audit.before,
  audit.after, case when audit.entry_id is not null then jsonb_build_array(entry.id, entry.kind,
    entry.currency, entry.amount, entry.from_account, entry.from_bucket, entry.to_account,
    entry.to_bucket, entry.from_seq, entry.from_available, entry.from_reserved, entry.to_seq,
    entry.to_available, entry.to_reserved, entry.subject_id, entry.actor_id, entry.correlation_id,
    entry.reference, entry.note, extract(epoch from entry.created_at)) end)`;

/** A row with an address or a user agent: a second list, of both. */
const CONTENT = `(${ROW}::text || case when coalesce(audit.address, audit.user_agent) is null then ''
  else jsonb_build_array(audit.address, audit.user_agent)::text end)`;

const NOTHING = `decode(repeat('00', 32), 'hex')`;

const { wrong, any } = breaches({
  'next to the link before': 'link.position = coalesce(link.position_before, 0) + 1',
  'with its audit row': 'audit.id is not null',
  'with the entry of its row': 'audit.entry_id is null or entry.id is not null',
  'with the hash of both': `link.hash = sha256(coalesce(link.hash_before, ${NOTHING})
    || convert_to(${CONTENT}, 'UTF8'))`,
});

/** The state of an audit row: linked, or waiting for its link. */
const LINK_STATES = `(select marketplace_id, audit_id, 1 as links, 0 as waits from audit_link
  union all select marketplace_id, audit_id, 0, 1 from outbox where audit_id is not null)`;

export const CHAIN_CHECKS: readonly Check[] = [
  {
    claim: 'every link of the audit chain follows from the one before it and from its row',
    of: 'audit_link',
    broken: `select link.marketplace_id as marketplace, link.position, link.audit_id as audit,
        audit.entry_id as entry, ${wrong} as "not"
      from (select *, lag(position) over chain as position_before, lag(hash) over chain as hash_before
        from audit_link window chain as (partition by marketplace_id order by position)) link
      left join audit on audit.marketplace_id = link.marketplace_id and audit.id = link.audit_id
      left join entry on entry.marketplace_id = audit.marketplace_id and entry.id = audit.entry_id
      where ${any}`,
  },
  {
    claim: 'every audit row has one link or waits for it, and neither exists without its row',
    of: 'audit',
    broken: `select marketplace_id as marketplace, coalesce(audit.id, place.id) as audit,
        coalesce(links, 0) as links, coalesce(waits, 0) as waits, audit.id is not null as is_there
      from (select marketplace_id, id from audit) audit
      full join (select marketplace_id, audit_id as id, sum(links) as links, sum(waits) as waits
        from ${LINK_STATES} places group by 1, 2) place using (marketplace_id, id)
      where audit.id is null or place.links + place.waits is distinct from 1`,
  },
  {
    claim: 'the head of every chain is its last link',
    of: 'event_head',
    broken: `select marketplace_id as marketplace, head.chain_position as head, last.position,
        last.audit_id as audit, encode(head.chain_hash, 'hex') as head_hash
      from event_head head
      full join (select distinct on (marketplace_id) marketplace_id, position, audit_id, hash
        from audit_link order by marketplace_id, position desc) last using (marketplace_id)
      where (head.chain_position = coalesce(last.position, 0)
        and head.chain_hash = coalesce(last.hash, ${NOTHING})) is not true`,
  },
];
