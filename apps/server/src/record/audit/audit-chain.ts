//! Reads the audit chain from the database: its ends, its links with the content they cover, and
//! rows without a link. It reads every marketplace, so it requires a role that may.
import type { AuditId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/row.ts';
import type { ChainName } from './anchors.ts';

/** Below the number of every chain: that of the platform is 0. */
export const BEFORE_ALL: RowNumber = '-1';

/** The end of a chain, by its head and by its links, in one snapshot. */
export interface ChainEnd {
  readonly marketplace: RowNumber;
  readonly marketplaceId: ChainName;
  readonly headPosition: number;
  readonly headHash: Buffer;
  readonly lastPosition: number;
}

export interface Link {
  readonly position: number;
  readonly auditId: AuditId;
  readonly hash: Buffer;
  /**
   * The content that the hash covers besides the previous hash. Null when the audit row is missing.
   */
  readonly content: string | null;
  readonly entryId: RowNumber | null;
  readonly hasEntry: boolean;
}

/**
 * The whole content of an audit row and of its journal entry, as one text. Repeated here on
 * purpose: an attacker who can change a row could also change the function that the sequencer
 * calls.
 */
const CONTENT = `jsonb_build_array(
    a.marketplace_id, a.id, extract(epoch from a.occurred_at), a.action, a.resource_type,
    a.resource_id, a.actor_type, a.actor_id, a.result, a.reason, a.correlation_id, a.before, a.after,
    case when a.entry_id is not null then jsonb_build_array(
      e.id, e.kind, e.currency, e.amount, e.from_account, e.from_bucket, e.to_account, e.to_bucket,
      e.from_seq, e.from_available, e.from_reserved, e.to_seq, e.to_available, e.to_reserved,
      e.subject_id, e.actor_id, e.correlation_id, e.reference, e.note,
      extract(epoch from e.created_at)) end)::text
  || case when a.address is null and a.user_agent is null then ''
    else jsonb_build_array(a.address, a.user_agent)::text end`;

const LINKED = `audit_link l
  left join audit a on a.marketplace_id = l.marketplace_id and a.id = l.audit_id
  left join entry e on e.marketplace_id = a.marketplace_id and e.id = a.entry_id`;

/** Row-level security would hide rows silently, and a hidden row would never be checked. */
export async function readAsAuditor(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ sees_all: boolean; is_auditor: boolean }>(
    `select rolsuper or rolbypassrls as sees_all,
       pg_has_role(current_user, 'holdfast_auditor', 'member') as is_auditor
     from pg_roles where rolname = current_user`,
  );
  const [role] = rows;
  if (role?.sees_all !== true && role?.is_auditor !== true)
    throw new Error(
      'this role does not see every marketplace: connect as a member of holdfast_auditor, or as a ' +
        'role that row-level security does not bind',
    );
  if (!role.sees_all) await client.query('set role holdfast_auditor');
  // A page is looked up row by row in three indexes; another plan would read whole tables for it.
  await client.query(`set default_transaction_read_only = on; set search_path = pg_catalog, public;
    set jit = off; set enable_hashjoin = off; set enable_mergejoin = off; set enable_seqscan = off`);
}

/**
 * In the order of their numbers, page by page: of every marketplace, of number 0, which belongs to
 * the platform, and of every head, also where its marketplace has no row any more.
 */
export async function listChainEnds(
  client: pg.ClientBase,
  after: RowNumber,
  count: number,
): Promise<ChainEnd[]> {
  const { rows } = await client.query<{
    id: RowNumber;
    name: ChainName;
    head_position: number;
    head_hash: Buffer;
    last_position: number;
  }>(
    `select c.id, case when c.id = 0 then 'platform' else coalesce(m.public_id, 'number ' || c.id)
         end as name, coalesce(h.chain_position, 0)::float8 as head_position,
       coalesce(h.chain_hash, decode(repeat('00', 32), 'hex')) as head_hash,
       coalesce((select max(l.position) from audit_link l where l.marketplace_id = c.id), 0)::float8
         as last_position
     from (select 0 as id where $1 < 0
         union (select id from marketplace where id > $1 order by id limit $2)
         union (select marketplace_id from event_head where marketplace_id > $1
           order by marketplace_id limit $2)
         order by id limit $2) c
     left join marketplace m on m.id = c.id
     left join event_head h on h.marketplace_id = c.id order by c.id`,
    [after, count],
  );
  return rows.map((row) => ({
    marketplace: row.id,
    marketplaceId: row.name,
    headPosition: row.head_position,
    headHash: row.head_hash,
    lastPosition: row.last_position,
  }));
}

type LinkRow = Row<'audit_link', 'audit_id' | 'hash', { audit_id: AuditId }> &
  Row<'audit', 'entry_id'> & { position: number; content: string | null; has_entry: boolean };

/** The links of these positions, excluding the first. A range, so that a duplicate cannot hide. */
export async function readLinks(
  client: pg.ClientBase,
  marketplace: RowNumber,
  after: number,
  upTo: number,
): Promise<Link[]> {
  const { rows } = await client.query<LinkRow>({
    name: 'audit links',
    text: `select l.position::float8 as position, l.audit_id, l.hash,
        case when a.id is not null then ${CONTENT} end as content,
        a.entry_id, e.id is not null as has_entry
      from ${LINKED}
      where l.marketplace_id = $1 and l.position > $2 and l.position <= $3
      order by l.position, l.audit_id`,
    values: [marketplace, after, upTo],
  });
  return rows.map((row) => ({
    position: row.position,
    auditId: row.audit_id,
    hash: row.hash,
    content: row.content,
    entryId: row.entry_id,
    hasEntry: row.has_entry,
  }));
}

/** How far away to search for a link that was swapped with another. */
const TAKEN_WITHIN = 100_000;

/**
 * The link that was swapped with a broken one: it follows the previous link, or its row does, or it
 * carries the hash that belongs here.
 */
export async function findSwapped(
  client: pg.ClientBase,
  marketplace: RowNumber,
  broken: Link,
  previousHash: Buffer,
  rightHash: Buffer,
): Promise<Link | undefined> {
  const { rows } = await client.query<{ position: number }>(
    `select l.position::float8 as position from ${LINKED}
     where l.marketplace_id = $1 and l.position > $2 and l.position <= $3
       and (l.hash = $6 or sha256($5::bytea || convert_to(${CONTENT}, 'UTF8')) in (l.hash, $4))
     order by l.position limit 1`,
    [
      marketplace,
      broken.position,
      broken.position + TAKEN_WITHIN,
      broken.hash,
      previousHash,
      rightHash,
    ],
  );
  const [found] = rows;
  if (found === undefined) return undefined;
  const [link] = await readLinks(client, marketplace, found.position - 1, found.position);
  return link;
}

/**
 * Searches the next audit rows of a marketplace for one that neither has nor awaits a link. One
 * statement has one snapshot, so a row that is just being linked is not reported.
 */
export async function findUnlinked(
  client: pg.ClientBase,
  marketplace: RowNumber,
  after: string,
  count: number,
): Promise<{ readonly last: AuditId | null; readonly unlinked: AuditId | null }> {
  const { rows } = await client.query<{ last: AuditId | null; unlinked: AuditId | null }>({
    name: 'unlinked audit rows',
    text: `select max(page.id) as last, min(page.id) filter (where l.audit_id is null
        and page.id not in (select o.audit_id from outbox o
          where o.marketplace_id = $1 and o.audit_id is not null)) as unlinked
      from (select a.id from audit a where a.marketplace_id = $1 and a.id > $2
        order by a.id limit $3) page
      left join audit_link l on l.marketplace_id = $1 and l.audit_id = page.id`,
    values: [marketplace, after, count],
  });
  return rows[0] ?? { last: null, unlinked: null };
}
