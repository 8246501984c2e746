//! The queries of a search: one statement for each kind of name, each by an index, so that a miss
//! costs as little as a hit.
import type { SearchHitView } from '@holdfast/contract/records/console-records';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import { microsOf } from '@holdfast/kernel/ids';
import { type Query, sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { seesPersonalData } from '../../platform/mask.ts';

export interface Found {
  readonly type: SearchHitView['type'];
  readonly id: string;
  readonly title: string;
  readonly status: string | null;
  /** The matching text, as stored in the row. */
  readonly matched: string;
  readonly createdAt: Instant | null;
  /** The record that it is part of, where that is the one to open. */
  readonly parentType?: SearchHitView['type'];
  readonly parentId?: string | null;
}

/** Texts that start with the requested one, byte by byte. */
export interface TextRange {
  readonly from: string;
  readonly to: string;
}

const HITS_MAX = 8;
/** The length after the prefix: of the time and of the random part. */
const ID_LETTERS = 27;

/** No character sorts after the last one there is. */
export function rangeOf(text: string): TextRange {
  return { from: text, to: `${text}\u{10ffff}` };
}

/** Fewer characters match too many names: the indexes hold those of all marketplaces. */
const BEGINNING_MIN = 6;

/**
 * All names with this prefix, or only the exact one where it is short: no character sorts before
 * this one.
 */
export function namesOf(text: string): TextRange {
  return text.length < BEGINNING_MIN ? { from: text, to: `${text}\u0001` } : rangeOf(text);
}

/** Ids start with their time: with so many letters, few ids share a prefix in any marketplace. */
const ID_BEGINNING_MIN = 'mil_'.length + 8;

/** For ids whose index holds those of all marketplaces. */
function ofAll({ from, to }: TextRange): TextRange {
  return { from, to: from.length < ID_BEGINNING_MIN ? `${from}\u0001` : to };
}

type Lookup = (tx: Tx, range: TextRange) => Query;

/** By our own ids: the key of each table. */
// biome-ignore format: a table is the one thing exempt from the line limit.
export const BY_ID: Readonly<Record<string, Lookup>> = {
  usr: (tx, { from, to }) => sql`select 'User' as type, id, external_user_id as title, status, id as matched, created_at as "createdAt" from users where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${to} order by id desc limit ${HITS_MAX}`,
  ord: (tx, { from, to }) => sql`select 'Order' as type, id, title, status, id as matched, created_at as "createdAt" from orders where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${to} order by id desc limit ${HITS_MAX}`,
  esc: (tx, { from, to }) => sql`select 'Order' as type, order_id as id, 'Escrow ' || id as title, status, id as matched, created_at as "createdAt" from escrow where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${to} order by id desc limit ${HITS_MAX}`,
  dsp: (tx, { from, to }) => sql`select 'Dispute' as type, id, reason as title, status, id as matched, created_at as "createdAt" from dispute where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${to} order by id desc limit ${HITS_MAX}`,
  topup: (tx, { from, to }) => sql`select 'TopUp' as type, id, coalesce(description, 'Top-up') as title, status, id as matched, created_at as "createdAt" from topup where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${to} order by id desc limit ${HITS_MAX}`,
  wd: (tx, { from, to }) => sql`select 'Withdrawal' as type, id, 'Withdrawal' as title, status, id as matched, created_at as "createdAt" from withdrawal where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${to} order by id desc limit ${HITS_MAX}`,
  op: (tx, { from, to }) => sql`select 'Operation' as type, id, kind as title, status, id as matched, created_at as "createdAt" from operation where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${to} order by id desc limit ${HITS_MAX}`,
  apr: (tx, { from, to }) => sql`select 'Approval' as type, id, action as title, status, id as matched, created_at as "createdAt" from approval where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${to} order by id desc limit ${HITS_MAX}`,
  whe: (tx, { from, to }) => sql`select 'WebhookEndpoint' as type, id, url as title, status, id as matched, created_at as "createdAt" from webhook_endpoint where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${to} order by id desc limit ${HITS_MAX}`,
  whr: (tx, { from, to }) => sql`select 'WebhookEndpoint' as type, endpoint_id as id, 'Replay ' || id as title, status, id as matched, created_at as "createdAt" from webhook_lane where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${to} order by id desc limit ${HITS_MAX}`,
  wal: (tx, { from, to }) => sql`select 'User' as type, user_id as id, 'Wallet ' || id as title, null as status, id as matched, created_at as "createdAt" from wallet where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${to} order by id desc limit ${HITS_MAX}`,
  prj: (tx, { from, to }) => sql`select 'Order' as type, order_id as id, title, null as status, id as matched, created_at as "createdAt" from project where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${to} and order_id is not null order by id desc limit ${HITS_MAX}`,
  mil: (tx, { from, to }) => sql`select 'Order' as type, order_id as id, 'Milestone ' || ref || ': ' || title as title, status, id as matched, null as "createdAt" from milestone where id >= ${from} and id < ${ofAll({ from, to }).to} and marketplace_id = ${tx.marketplace} order by id desc limit ${HITS_MAX}`,
  // Their text is shown only to those who open the dispute.
  note: (tx, { from, to }) => sql`select 'Dispute' as type, dispute_id as id, 'Note ' || id as title, null as status, id as matched, created_at as "createdAt" from dispute_note where id >= ${from} and id < ${ofAll({ from, to }).to} and marketplace_id = ${tx.marketplace} order by id desc limit ${HITS_MAX}`,
  evd: (tx, { from, to }) => sql`select 'Dispute' as type, dispute_id as id, 'Evidence ' || id as title, null as status, id as matched, created_at as "createdAt" from dispute_evidence where id >= ${from} and id < ${ofAll({ from, to }).to} and marketplace_id = ${tx.marketplace} order by id desc limit ${HITS_MAX}`,
  // The operators in the marketplace's own audit.
  opr: (tx, { from, to }) => sql`select 'Operator' as type, id, name as title, null as status, id as matched, null as "createdAt" from access.operator_names(${tx.marketplace}, ${to}, ${HITS_MAX}) where id >= ${from}`,
  // A request is found by the id in its response.
  req: (tx, { from, to }) => sql`select 'LoggedRequest' as type, request_id as id, method || ' ' || path || ': ' || status as title, null as status, id as matched, occurred_at as "createdAt" from request_log where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${to} order by id desc limit ${HITS_MAX}`,
  // For each endpoint by its key: a marketplace has few of them.
  whd: (tx, { from, to }) => sql`select 'WebhookDelivery' as type, d.id, d.event_type as title, d.outcome as status, d.id as matched, d.created_at as "createdAt", 'WebhookEndpoint' as "parentType", e.id as "parentId" from webhook_endpoint e cross join lateral (select id, event_type, outcome, created_at from webhook_delivery where marketplace_id = ${tx.marketplace} and endpoint_id = e.id and id >= ${from} and id < ${to} order by id desc limit ${HITS_MAX}) d where e.marketplace_id = ${tx.marketplace} order by d.id desc limit ${HITS_MAX}`,
  rec: (tx, { from, to }) => sql`select 'ReconciliationRun' as type, id, 'Reconciliation run' as title, status, id as matched, created_at as "createdAt" from reconciliation_run where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${to} order by id desc limit ${HITS_MAX}`,
  exc: (tx, { from, to }) => sql`select 'ReconciliationException' as type, id, cause as title, status, id as matched, created_at as "createdAt" from reconciliation_exception where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${to} order by id desc limit ${HITS_MAX}`,
  aud: (tx, { from, to }) => sql`select 'AuditEntry' as type, id, action as title, result as status, id as matched, occurred_at as "createdAt" from audit where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${to} order by id desc limit ${HITS_MAX}`,
  key: (tx, { from, to }) => sql`select 'ApiKey' as type, id, name as title, case when revoked_at is null then null else 'REVOKED' end as status, id as matched, created_at as "createdAt" from api_key where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${to} order by id desc limit ${HITS_MAX}`,
  inb: (tx, { from, to }) => sql`select 'ProviderNotification' as type, id, event_type as title, status, id as matched, received_at as "createdAt" from inbox where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${to} order by id desc limit ${HITS_MAX}`,
  rsv: (tx, { from, to }) => sql`select case when subject_id like 'wd\\_%' then 'Withdrawal' else 'Order' end as type, subject_id as id, 'Reservation ' || id as title, null as status, id as matched, created_at as "createdAt" from reservation where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${to} and subject_id is not null order by id desc limit ${HITS_MAX}`,
};

/** An event's key is its time; its id starts with it, so half an id gives a range of times. */
export const byEventId: Lookup = (tx, { from, to }) => {
  const timeOf = (filler: string) =>
    instantText(Math.floor(microsOf(`evt_${from.slice(4).padEnd(ID_LETTERS, filler)}`) / 1000));
  return sql`
    select 'Event' as type, id, event_type as title, null as status, id as matched,
      occurred_at as "createdAt"
    from event
    where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${to}
      and occurred_at between ${timeOf('0')}::timestamptz - interval '1 second'
        and ${timeOf('z')}::timestamptz + interval '1 second'
    order by occurred_at desc limit ${HITS_MAX}`;
};

/** A line of a member's history is an entry; one of a wallet's, an operation of the network. */
export const byHistoryLine: Lookup = (tx, { from: number }) => sql`
  (select 'LedgerEntry' as type, id::text as id, kind as title, null as status,
    id::text as matched, created_at as "createdAt"
  from entry where marketplace_id = ${tx.marketplace} and id = ${number})
  union all
  (select case when entry_id is null then 'User' else 'LedgerEntry' end,
    coalesce(entry_id::text, user_id), 'Deposit of ' || asset, null, line_id, occurred_at
  from deposit where operation_id = ${number} and marketplace_id = ${tx.marketplace}
  order by transfer_index limit ${HITS_MAX})`;

/**
 * The caller's own names. An operator who sees masked addresses cannot guess one letter by letter.
 */
export const byClientOrderRef: Lookup = (tx, { from, to }) => sql`
  select 'Order' as type, id, title, status, client_order_ref as matched, created_at as "createdAt"
  from orders
  where marketplace_id = ${tx.marketplace} and client_order_ref is not null
    and client_order_ref ~>=~ ${from} and client_order_ref ~<~ ${to}
  order by client_order_ref using ~<~ limit ${HITS_MAX}`;

export const byExternalUserId: Lookup = (tx, { from, to }) => sql`
  select 'User' as type, id, external_user_id as title, status, external_user_id as matched,
    created_at as "createdAt"
  from users
  where marketplace_id = ${tx.marketplace}
    and external_user_id ~>=~ ${from} and external_user_id ~<~ ${to}
    and (${seesPersonalData(tx.actor)} or external_user_id = ${from}
      or strpos(external_user_id, '@') = 0)
  order by external_user_id using ~<~ limit ${HITS_MAX}`;

export const byEmail: Lookup = (tx, { from, to }) => sql`
  select 'User' as type, id, external_user_id as title, status, email as matched,
    created_at as "createdAt"
  from users
  where marketplace_id = ${tx.marketplace}
    and email_key >= ${from} and email_key < ${to}
    and (${seesPersonalData(tx.actor)} or email_key = ${from})
  order by email_key limit ${HITS_MAX}`;

/**
 * Providers' names, whole only: many share a prefix, and their indexes hold those of all
 * marketplaces, so a prefix search could read everything.
 */
export const byPaymentUser: Lookup = (tx, { from }) => sql`
  select 'User' as type, id, external_user_id as title, status, payment_account_user_id as matched,
    created_at as "createdAt"
  from users
  where marketplace_id = ${tx.marketplace} and payment_account_user_id = ${from}`;

export const byPayin: Lookup = (tx, { from }) => sql`
  select 'TopUp' as type, t.id, coalesce(t.description, 'Top-up') as title, t.status,
    n.name as matched, t.created_at as "createdAt"
  from payin_reference n join topup t on t.marketplace_id = n.marketplace_id and t.id = n.topup_id
  where n.name = ${from} and n.marketplace_id = ${tx.marketplace} limit ${HITS_MAX}`;

export const byPayout: Lookup = (tx, { from }) => sql`
  select 'Withdrawal' as type, id, 'Withdrawal' as title, status, provider_payout_id as matched,
    created_at as "createdAt"
  from withdrawal
  where provider_payout_id = ${from} and provider_payout_id is not null
    and marketplace_id = ${tx.marketplace}
  limit ${HITS_MAX}`;

export const byProviderEvent: Lookup = (tx, { from }) => sql`
  select 'ProviderNotification' as type, id, event_type as title, status, provider_event_id as matched,
    received_at as "createdAt"
  from inbox
  where provider = any(array['escrow-provider', 'payment-provider'])
    and provider_event_id = ${from} and marketplace_id = ${tx.marketplace}
  limit ${HITS_MAX}`;

export const byContract: Lookup = (tx, { from, to }) => sql`
  select 'Order' as type, o.id, o.title, o.status, c.provider_contract_id as matched,
    o.created_at as "createdAt"
  from contract c
  join escrow e on e.marketplace_id = c.marketplace_id and e.id = c.escrow_id
  join orders o on o.marketplace_id = e.marketplace_id and o.id = e.order_id
  where c.provider_contract_id >= ${from} and c.provider_contract_id < ${to}
    and c.marketplace_id = ${tx.marketplace}
  order by c.provider_contract_id limit ${HITS_MAX}`;

/** The network's names, which are random: few share a prefix. */
export const byAddress: Lookup = (tx, { from, to }) => sql`
  select 'User' as type, u.id, u.external_user_id as title, u.status, w.address as matched,
    u.created_at as "createdAt"
  from wallet w join users u on u.marketplace_id = w.marketplace_id and u.id = w.user_id
  where w.address >= ${from} and w.address < ${to} and w.address is not null
    and w.marketplace_id = ${tx.marketplace}
  order by w.address limit ${HITS_MAX}`;

/**
 * Names of transactions sent to the network. An envelope's purpose ends with the operation that
 * sent it. A transfer of the mirror carries many users' money, and finds all of these users.
 */
export const byHash: Lookup = (tx, { from, to }) => sql`
  with sent as (
    (select hash, purpose, created_at from envelope
    where hash >= ${from} and hash < ${to} and marketplace_id = ${tx.marketplace}
    order by hash limit ${HITS_MAX})
    union all
    (select inner_hash, purpose, created_at from envelope
    where inner_hash >= ${from} and inner_hash < ${to} and inner_hash is not null
      and marketplace_id = ${tx.marketplace}
    order by inner_hash limit ${HITS_MAX}))
  (select 'Operation' as type, o.id, o.kind as title, o.status, sent.hash as matched,
    sent.created_at as "createdAt", o.resource_type as "parentType", o.resource_id as "parentId"
  from sent cross join lateral (select id, kind, status, resource_type, resource_id from operation
    where marketplace_id = ${tx.marketplace}
      and id = substring(sent.purpose from 'op_[0-9a-z]+$') limit 1) o)
  union all
  (select 'User', i.user_id, 'Address transfer of ' || i.asset, null, sent.hash, sent.created_at,
    null, null
  from sent join mirror_item i on i.marketplace_id = ${tx.marketplace}
    and i.batch_id = substring(sent.purpose from '^mirror:(op_[0-9a-z]+)$')
  order by i.user_id, i.asset limit ${HITS_MAX})`;

export const byDepositHash: Lookup = (tx, { from, to }) => sql`
  select 'User' as type, user_id as id, 'Deposit of ' || asset as title, null as status,
    hash as matched, occurred_at as "createdAt"
  from deposit
  where hash >= ${from} and hash < ${to} and marketplace_id = ${tx.marketplace}
  order by hash limit ${HITS_MAX}`;

/** Requests of the last days, whole only: the log's indexes hold those of all marketplaces. */
export const byRequestId: Lookup = (tx, { from }) => sql`
  select 'LoggedRequest' as type, request_id as id,
    method || ' ' || path || ': ' || status as title, null as status, request_id as matched,
    occurred_at as "createdAt"
  from request_log where request_id = ${from} and marketplace_id = ${tx.marketplace}
  order by request_log.id desc limit 1`;

export const byIdempotencyKey: Lookup = (tx, { from }) => sql`
  select 'IdempotencyKey' as type, idempotency_key as id, method || ' ' || route as title,
    null as status, idempotency_key as matched, occurred_at as "createdAt"
  from request_log where idempotency_key = ${from} and marketplace_id = ${tx.marketplace}
  order by request_log.id desc limit 1`;

/** Names in the books. */
export const byEntryNumber: Lookup = (tx, { from }) => sql`
  select 'LedgerEntry' as type, id::text as id, kind as title, null as status,
    id::text as matched, created_at as "createdAt"
  from entry where marketplace_id = ${tx.marketplace} and id = ${from}`;

export const byEntryReference: Lookup = (tx, { from }) => sql`
  select 'LedgerEntry' as type, id::text as id, kind as title, null as status,
    reference as matched, created_at as "createdAt"
  from entry where reference = ${from} and reference is not null
    and marketplace_id = ${tx.marketplace}
  order by id desc limit ${HITS_MAX}`;
