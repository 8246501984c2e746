//! One planted fault per check: a change to the healthy world, and the invariants that find it.
import { CHAIN_FAULTS } from './chain-faults.ts';
import type { Fault } from './fault.ts';
import { ORDER_FAULTS } from './order-faults.ts';
import { PAYMENT_FAULTS } from './payment-faults.ts';

const ann = `(select id from account where owner_id = 'usr_ann')`;
const ben = `(select id from account where owner_id = 'usr_ben')`;
const house = `(select min(id) from account where kind = 'adjustments')`;
const entryOf = (request: string) => `(select id from entry where correlation_id = '${request}')`;
const orderEntry = (kind: string) => `(select id from entry where kind = '${kind}')`;
const auditOf = (action: string) => `(select min(id) from audit where action = '${action}')`;
const reservationOf = (amount: number) => `(select id from reservation where amount = ${amount})`;
const editEntry = (request: string, change: string) =>
  `update entry set ${change} where correlation_id = '${request}'`;
const dropRules = (table: string, ...rules: readonly string[]) =>
  rules.map((rule) => `alter table ${table} drop constraint ${table}_${rule};`).join('');
const copy = (table: string, columns: string, where: string) =>
  `insert into ${table} (${columns}) select ${columns} from ${table} where ${where} limit 1`;
const OUTBOX =
  'marketplace_id, event_type, aggregate_id, entry_id, payload, actor_id, correlation_id';
const EVENT = 'marketplace_id, event_type, aggregate_id, entry_id, actor_id, correlation_id';
const SHOP = `(select id from marketplace where public_id = 'mkt_shop') shop`;
const IN_SHOP = `marketplace_id = (select id from ${SHOP})`;
const eventOf = (request: string) => `(select id from event where correlation_id = '${request}')`;
const eventAt = (position: number) =>
  `(select id from event where ${IN_SHOP} and position = ${position})`;
const linkAt = (position: number) =>
  `(select audit_id from audit_link where ${IN_SHOP} and position = ${position})`;
/** Drops the unique keys of a table, and the index of each partition with them. */
const dropKeys = (table: string) => `do $$ declare key regclass; begin
  for key in select indexrelid from pg_index join pg_partition_tree('${table}') on relid = indrelid
    where indisunique and not indisprimary
  loop execute format('drop index %s', key); end loop; end $$;`;

// biome-ignore format: a table.
export const FAULTS: readonly Fault[] = [
  { name: 'a house delta without an account', by: ['I1'], names: `select 'currency=null'`,
    plant: `insert into house_delta values ((select min(id) from marketplace), 424242, 5)` },
  { name: 'a surplus house delta', by: ['I3', 'I1'], names: `select ${house}`,
    plant: `insert into house_delta values ((select min(id) from marketplace), ${house}, 5)` },
  { name: 'an account of another currency', by: ['I1', 'I2', 'I10'], names: `select 'USDC'`,
    plant: `update account set currency = 'USDC' where id = ${ann}` },

  { name: 'an entry of nothing', by: ['I2', 'I3', 'I10', 'I20'], names: `select ${entryOf('debit-ann')}`,
    plant: `${dropRules('entry', 'amount_check')}${editEntry('debit-ann', 'amount = 0')}` },
  { name: 'an entry from no account', by: ['I2', 'I3', 'I20'], names: `select ${entryOf('credit-ben')}`,
    plant: editEntry('credit-ben', 'from_account = 424242') },
  { name: 'an entry of another currency', by: ['I2', 'I10', 'I20'], names: `select ${entryOf('credit-ben')}`,
    plant: editEntry('credit-ben', `currency = 'USDC'`) },
  { name: 'a reserved amount on a house account', by: ['I2', 'I20'], names: `select ${entryOf('credit-ben')}`,
    plant: editEntry('credit-ben', `from_bucket = 'reserved'`) },
  { name: 'a position on the house side', by: ['I2', 'I20'], names: `select ${entryOf('credit-ben')}`,
    plant: editEntry('credit-ben', 'from_seq = 7') },
  { name: 'a missing balance on the user side', by: ['I2', 'I3', 'I10', 'I20'], names: `select ${entryOf('credit-ben')}`,
    plant: editEntry('credit-ben', 'to_available = null') },
  { name: 'one leg twice', by: ['I2', 'I20'], names: `select ${entryOf('reserve-ann')}`,
    plant: editEntry('reserve-ann', 'to_seq = 77') },
  { name: 'an entry that moves nothing', by: ['I2', 'I3', 'I4', 'I20'], names: `select ${entryOf('hold-ann')}`,
    plant: `${dropRules('entry', 'moves_check')}${editEntry('hold-ann', `to_bucket = 'available'`)}` },
  { name: 'an unknown bucket', by: ['I2', 'I3', 'I20'], names: `select ${entryOf('debit-ann')}`,
    plant: `${dropRules('entry', 'bucket_check')}${editEntry('debit-ann', `from_bucket = 'pocket'`)}` },
  { name: 'an unknown kind', by: ['I2', 'I10', 'I20'], names: `select ${entryOf('debit-ann')}`,
    plant: editEntry('debit-ann', `kind = 'gift'`) },
  { name: 'one entry twice', by: ['I2', 'I3'], names: `select ${entryOf('debit-ann')}`,
    plant: `${dropRules('entry', 'pkey')}${dropKeys('entry')}
      insert into entry select * from entry where correlation_id = 'debit-ann'` },

  { name: 'a balance below zero', by: ['I3', 'I32', 'I1', 'I10'], names: `select ${ben}`,
    plant: `${dropRules('account', 'available_check', 'unconfirmed_check')}
      update account set available = -1 where id = ${ben}` },
  { name: 'a balance on a house row', by: ['I3', 'I1'], names: `select ${house}`,
    plant: `${dropRules('account', 'house_check')}
      update account set available = 5 where id = ${house}` },
  // The total is unchanged, so only the sums per account can find it.
  { name: 'money moved without an entry', by: ['I3', 'I10'], names: `select ${ben}`,
    plant: `update account set available = available + case id when ${ann} then -5 else 5 end
      where id in (${ann}, ${ben})` },
  { name: 'a version ahead', by: ['I3'], names: `select ${ann}`,
    plant: `update account set version = version + 1 where id = ${ann}` },
  { name: 'an entry of another amount', by: ['I3', 'I10', 'I20'], names: `select ${ann}`,
    plant: editEntry('debit-ann', 'amount = amount + 1') },
  { name: 'a wrong running balance', by: ['I3', 'I10', 'I20'], names: `select ${entryOf('spend-ann')}`,
    plant: editEntry('spend-ann', 'from_available = from_available + 1') },
  { name: 'a gap in the positions of an account', by: ['I3', 'I20'], names: `select ${entryOf('batch-3')}`,
    plant: editEntry('batch-3', 'from_seq = from_seq + 1') },
  { name: "a house delta on a user's account", by: ['I3', 'I1'], names: `select ${ann}`,
    plant: `insert into house_delta values ((select min(id) from marketplace), ${ann}, 5)` },

  { name: 'a hold that remains too small', by: ['I4'], names: `select ${ann}`,
    plant: `update reservation set remaining = remaining - 1 where amount = 500` },
  { name: 'a hold above its amount', by: ['I4'], names: `select ${reservationOf(400)}`,
    plant: `${dropRules('reservation', 'remaining_check')}
      update reservation set remaining = 401 where amount = 400` },
  { name: 'a hold of an unknown owner', by: ['I4'], names: `select ${reservationOf(400)}`,
    plant: `${dropRules('reservation', 'owner_check', 'owner_subject_check')}
      update reservation set owner = 'unknown' where amount = 400` },
  { name: 'a deleted hold', by: ['I4'], names: `select ${entryOf('reserve-ben')}`,
    plant: `delete from reservation where amount = 400` },
  { name: "a hold under another order's name", by: ['I4'], names: `select ${reservationOf(3000)}`,
    plant: `update reservation set subject_id = 'ord_9' where amount = 3000` },

  ...CHAIN_FAULTS,
  ...ORDER_FAULTS,
  ...PAYMENT_FAULTS,

  { name: 'a lost event', by: ['I10', 'I20'], names: `select ${entryOf('wait-cid')}`,
    plant: `delete from outbox where correlation_id = 'wait-cid'` },
  { name: 'an event in the outbox twice', by: ['I10'], names: `select ${entryOf('wait-cid')}`,
    plant: copy('outbox', OUTBOX, `correlation_id = 'wait-cid'`) },
  { name: 'an event of another type', by: ['I10'], names: `select ${entryOf('wait-cid')}`,
    plant: `update outbox set event_type = 'balance.credited' where correlation_id = 'wait-cid'` },
  { name: 'an event of no entry', by: ['I10'], names: `select '424242'`,
    plant: `update outbox set entry_id = 424242 where correlation_id = 'wait-cid'` },
  { name: "an event in another marketplace", by: ['I10', 'I20'], names: `select ${entryOf('wait-cid')}`,
    plant: `update outbox set marketplace_id = marketplace_id + 1
      where correlation_id = 'wait-cid'` },
  { name: 'an event with another reserved balance', by: ['I10'], names: `select ${eventOf('reserve-ben')}`,
    plant: `update event set payload = jsonb_set(payload::jsonb, '{newReservedBalance}', '"9.00"')
      where correlation_id = 'reserve-ben'` },
  // Its figures agree with its entry, and the log has no gap: only a replay finds it.
  { name: 'a debit of reserved money without the reserved balance', by: ['I10'], names: `select 'usr_ann'`,
    plant: `update event set payload = payload::jsonb - 'newReservedBalance'
      where correlation_id = 'spend-ann'` },
  { name: 'a lost audit row', by: ['I10', 'I20'], names: `select ${entryOf('spend-ann')}`,
    plant: `delete from audit where correlation_id = 'spend-ann'` },
  { name: 'another actor', by: ['I10', 'I20'], names: `select ${entryOf('spend-ann')}`,
    plant: `update audit set actor_id = 'key_other' where correlation_id = 'spend-ann'` },
  { name: 'another request', by: ['I10', 'I20'], names: `select ${entryOf('spend-ann')}`,
    plant: `update audit set correlation_id = 'other' where correlation_id = 'spend-ann'` },
  { name: 'another action', by: ['I10', 'I20'], names: `select ${entryOf('spend-ann')}`,
    plant: `update audit set action = 'BALANCE_DEBITED' where correlation_id = 'spend-ann'` },
  { name: 'another resource', by: ['I10', 'I20'], names: `select ${entryOf('spend-ann')}`,
    plant: `update audit set resource_id = 'usr_ben' where correlation_id = 'spend-ann'` },
  { name: 'an action with two audit rows', by: ['I10', 'I20'], names: `select ${entryOf('spend-ann')}`,
    plant: `insert into audit select marketplace_id, left(id, 30) || case right(id, 1) when '0'
      then '1' else '0' end, occurred_at, action, resource_type, resource_id, actor_type, actor_id,
      result, reason, correlation_id, before, after, entry_id from audit
      where correlation_id = 'spend-ann'` },
  { name: 'an entry of an order without its audit row', by: ['I10', 'I20'], names: `select ${orderEntry('order_refund')}`,
    plant: `delete from audit where action = 'ORDER_REFUNDED'` },
  { name: 'a balance event for a fee', by: ['I10'], names: `select ${orderEntry('order_fee')}`,
    plant: `insert into outbox (marketplace_id, event_type, aggregate_id, entry_id, actor_id, correlation_id)
      select marketplace_id, 'balance.debited', 'usr_ann', id, actor_id, correlation_id from entry
      where kind = 'order_fee'` },
  { name: 'an event with another amount', by: ['I10'], names: `select ${eventOf('debit-ann')}`,
    plant: `update event set payload = replace(payload::text, '25.00', '25.01')::json
      where correlation_id = 'debit-ann'` },
  { name: 'an event lost from the log', by: ['I10', 'I11'], names: `select ${entryOf('debit-ann')}`,
    plant: `delete from event where correlation_id = 'debit-ann'` },
  { name: 'an event both in the outbox and in the log', by: ['I10'], names: `select ${entryOf('debit-ann')}`,
    plant: `insert into outbox (${EVENT}) select ${EVENT} from event
      where correlation_id = 'debit-ann'` },
  { name: 'an outbox row of a missing audit row', by: ['I10', 'I20'], names: `select 'aud_nowhere'`,
    plant: `update outbox set audit_id = 'aud_nowhere' where correlation_id = 'wait-cid'` },
  { name: "another entry's audit row", by: ['I10', 'I20'], names: `select ${entryOf('wait-cid')}`,
    plant: `update outbox set audit_id = ${auditOf('USER_CREATED')} where correlation_id = 'wait-cid'` },
  { name: 'a user without user.created', by: ['I10'], names: `select 'usr_dan'`,
    plant: `delete from outbox where event_type = 'user.created' and aggregate_id = 'usr_dan'` },
  { name: 'a user without USER_CREATED', by: ['I10', 'I20'], names: `select 'usr_ann'`,
    plant: `delete from audit where action = 'USER_CREATED' and resource_id = 'usr_ann'` },
  { name: 'a marketplace without MARKETPLACE_CREATED', by: ['I10', 'I20'], names: `select 'mkt_stall'`,
    plant: `delete from audit where resource_id = 'mkt_stall'` },
  { name: 'a key without API_KEY_CREATED', by: ['I10', 'I20'], names: `select 'key_00000000000000000000000002'`,
    plant: `delete from audit where resource_id = 'key_00000000000000000000000002'` },

  { name: 'a gap in the log', by: ['I11'], names: `select ${eventAt(3)}`,
    plant: `${dropKeys('event')} update event set position = position + 1 where ${IN_SHOP} and position >= 3` },
  { name: 'a position twice', by: ['I11'], names: `select ${eventAt(3)}`,
    plant: `${dropKeys('event')} update event set position = 2 where ${IN_SHOP} and position = 3` },
  { name: 'an event dated back', by: ['I11'], names: `select ${eventAt(3)}`,
    plant: `update event set occurred_at = occurred_at - interval '1 hour'
      where ${IN_SHOP} and position = 3` },
  { name: 'two events in the wrong order', by: ['I11', 'I10'], names: `select ${eventAt(3)}`,
    plant: `${dropKeys('event')} update event set position = 7 - position
      where ${IN_SHOP} and position in (3, 4)` },
  { name: 'an event id of another time', by: ['I11'], names: `select 'evt_0' || substr(${eventAt(4)}, 6)`,
    plant: `update event set id = 'evt_0' || substr(id, 6) where ${IN_SHOP} and position = 4` },
  { name: 'an event id twice', by: ['I11'], names: `select ${eventAt(3)}`,
    plant: `update event set id = ${eventAt(3)} where ${IN_SHOP} and position = 4` },
  { name: 'a head ahead of its log', by: ['I11'], names: `select 'marketplace=' || id from ${SHOP}`,
    plant: `update event_head set position = position + 1 where ${IN_SHOP}` },
  { name: 'a head of another time', by: ['I11'], names: `select 'marketplace=' || id from ${SHOP}`,
    plant: `update event_head set occurred_at = occurred_at + interval '1 microsecond'
      where ${IN_SHOP}` },
  { name: 'a log without its last event', by: ['I11', 'I10'], names: `select 'marketplace=' || id from ${SHOP}`,
    plant: `delete from event using event_head head where event.marketplace_id = head.marketplace_id
      and event.position = head.position and event.${IN_SHOP}` },
  { name: 'an emptied log', by: ['I11'], names: `select 'marketplace=' || id from ${SHOP}`,
    plant: `delete from event where ${IN_SHOP}` },
  { name: 'a log and a chain without a head', by: ['I11', 'I20'],
    names: `select 'marketplace=' || id from ${SHOP}`,
    plant: `delete from event_head where ${IN_SHOP}` },

  { name: 'an idempotency key of a missing entry', by: ['I15'], names: `select '424242'`,
    plant: `update idempotency set entry_id = 424242 where entry_id = ${entryOf('credit-ben')}` },
  { name: 'a reference renamed', by: ['I15'], names: `select ${entryOf('credit-cid')}`,
    plant: `update entry_reference set reference = 'invoice-2' where user_id = 'usr_cid'` },
  { name: 'a reference of another user', by: ['I15'], names: `select ${entryOf('credit-cid')}`,
    plant: `update entry_reference set user_id = 'usr_ann' where user_id = 'usr_cid'` },
  { name: 'a deleted reference', by: ['I15'], names: `select ${entryOf('credit-cid')}`,
    plant: `delete from entry_reference where user_id = 'usr_cid'` },
  { name: 'a key bound to an entry and a refusal', by: ['I16'],
    names: `select scope_hash from idempotency where entry_id = ${entryOf('credit-ben')}`,
    plant: `${dropRules('idempotency', 'result_check')}update idempotency set refusal = 'NO' where entry_id = ${entryOf('credit-ben')}` },
  { name: 'a key bound to nothing', by: ['I16'],
    names: `select scope_hash from idempotency where refusal is not null`,
    plant: `${dropRules('idempotency', 'result_check')}update idempotency set refusal = null` },
  { name: 'an entry bound to two keys', by: ['I16'], names: `select ${entryOf('credit-ben')}`,
    plant: `insert into idempotency select marketplace_id, gen_random_uuid(), request_hash,
      created_at, entry_id from idempotency where entry_id = ${entryOf('credit-ben')}` },
  { name: 'a reference twice', by: ['I16'], names: `select 'usr_cid'`,
    plant: `${dropRules('entry_reference', 'pkey')}
      insert into entry_reference select * from entry_reference where user_id = 'usr_cid'` },

  { name: 'an audit id of another form', by: ['I20'], names: `select 'aud_short'`,
    plant: `update audit set id = 'aud_short' where action = 'ADJUSTMENT_LIMIT_SET'` },
  { name: 'an audit id with a wrong character', by: ['I20'], names: `select 'aud_!'`,
    plant: `update audit set id = 'aud_!' || substr(id, 6) where action = 'ADJUSTMENT_LIMIT_SET'` },
  { name: 'an audit row dated back', by: ['I20'], names: `select ${auditOf('ADJUSTMENT_LIMIT_SET')}`,
    plant: `update audit set occurred_at = occurred_at - interval '1 hour'
      where action = 'ADJUSTMENT_LIMIT_SET'` },
  { name: 'an unknown actor type', by: ['I20'], names: `select ${auditOf('ADJUSTMENT_LIMIT_SET')}`,
    plant: `${dropRules('audit', 'actor_type_check')}
      update audit set actor_type = 'GHOST' where action = 'ADJUSTMENT_LIMIT_SET'` },
  { name: 'an unknown result', by: ['I20'], names: `select ${auditOf('ADJUSTMENT_LIMIT_SET')}`,
    plant: `${dropRules('audit', 'result_check')}
      update audit set result = 'MAYBE' where action = 'ADJUSTMENT_LIMIT_SET'` },
  { name: 'an audit id twice', by: ['I20'], names: `select ${auditOf('ADJUSTMENT_LIMIT_SET')}`,
    plant: `${dropRules('audit', 'pkey')}
      insert into audit select * from audit where action = 'ADJUSTMENT_LIMIT_SET'` },
  { name: 'a service that may rewrite its audit log', by: ['I20'], names: `select 'may=UPDATE'`,
    plant: 'grant update on audit to holdfast_api' },
  { name: 'a service that may rewrite one column', by: ['I20'], names: `select 'may=UPDATE'`,
    plant: 'grant update (amount) on entry to holdfast_operator' },
  { name: 'a service that may empty its books', by: ['I20'], names: `select 'may=TRUNCATE'`,
    plant: 'grant truncate on entry_default to holdfast_worker' },

  { name: 'a service that may rewrite its log', by: ['I20'], names: `select 'may=DELETE'`,
    plant: 'grant delete on event to holdfast_sequencer' },
  { name: 'a service that may rewrite its chain', by: ['I20'], names: `select 'may=UPDATE'`,
    plant: 'grant update on audit_link to holdfast_sequencer' },
  { name: 'a service that may link by itself', by: ['I20'], names: `select 'may=INSERT'`,
    plant: 'grant insert on audit_link to holdfast_worker' },
  { name: 'a changed byte of a linked audit row', by: ['I20'], names: `select ${auditOf('ADJUSTMENT_LIMIT_SET')}`,
    plant: `update audit set reason = 'x' where action = 'ADJUSTMENT_LIMIT_SET'` },
  { name: 'a changed byte of a linked entry', by: ['I20'], names: `select ${entryOf('debit-ann')}`,
    plant: editEntry('debit-ann', `note = 'x'`) },
  { name: 'a changed byte of a hash', by: ['I20'], names: `select ${linkAt(3)}`,
    plant: `update audit_link set hash = set_byte(hash, 0, get_byte(hash, 0) # 1)
      where ${IN_SHOP} and position = 3` },
  { name: 'a missing link', by: ['I20'], names: `select ${linkAt(3)}`,
    plant: `delete from audit_link where ${IN_SHOP} and position = 3` },
  { name: 'two links swapped', by: ['I20'], names: `select ${linkAt(4)}`,
    plant: `${dropKeys('audit_link')} update audit_link set position = 7 - position
      where ${IN_SHOP} and position in (3, 4)` },
  { name: 'a link of no row', by: ['I20'], names: `select 'aud_nowhere'`,
    plant: `insert into audit_link select marketplace_id, chain_position + 1, 'aud_nowhere',
      chain_hash from event_head where ${IN_SHOP}` },
  { name: 'a row that is linked and waits', by: ['I20'], names: `select ${auditOf('ADJUSTMENT_LIMIT_SET')}`,
    plant: `insert into outbox (marketplace_id, audit_id, actor_id, correlation_id)
      select marketplace_id, id, actor_id, correlation_id from audit
      where action = 'ADJUSTMENT_LIMIT_SET'` },
  { name: 'an inserted row', by: ['I20'], names: `select left(${auditOf('ADJUSTMENT_LIMIT_SET')}, 30)`,
    plant: `insert into audit select marketplace_id, left(id, 30) || case right(id, 1) when '0'
      then '1' else '0' end, occurred_at, action, resource_type, resource_id, actor_type, actor_id,
      result, reason, correlation_id, before, after, entry_id from audit
      where action = 'ADJUSTMENT_LIMIT_SET'` },
  { name: 'a head of another hash', by: ['I20'], names: `select 'marketplace=' || id from ${SHOP}`,
    plant: `update event_head set chain_hash = sha256(chain_hash) where ${IN_SHOP}` },
  { name: 'a chain cut off', by: ['I20'], names: `select ${linkAt(5)}`,
    plant: `delete from audit_link where ${IN_SHOP} and position >= 5` },

  { name: 'a credit under a stop', by: ['I31', 'I20'], names: `select id from audit where correlation_id = 'credit-cid'`,
    plant: `update audit set before = '{"level": "PAYOUTS"}' where action = 'MARKETPLACE_UNFROZEN'` },
  { name: 'a transaction signed under a stop', by: ['I31'], names: `select min(purpose) from envelope`,
    plant: `insert into marketplace_stop (marketplace_id, level, reason, stopped_by, since, settled_at)
      select distinct marketplace_id, 'SIGNING', 'x', 'master', 'epoch'::timestamptz,
        'epoch'::timestamptz from envelope` },

  { name: 'a table without row-level security', by: ['M1'], names: `select 'table=users'`,
    plant: 'alter table users disable row level security' },
  { name: 'a partition whose owner sees all', by: ['M1'], names: `select 'table=entry_default'`,
    plant: 'alter table entry_default no force row level security' },
  { name: 'a new table without row-level security', by: ['M1'], names: `select 'table=gift'`,
    plant: 'create table gift (marketplace_id bigint)' },
  { name: 'a role that bypasses row-level security', by: ['M1'], names: `select 'holdfast_planted'`,
    plant: 'create role holdfast_planted bypassrls' },
  { name: 'a role that owns a table', by: ['M1'], names: `select 'owns=outbox'`,
    plant: 'create role holdfast_planted; alter table outbox owner to holdfast_planted' },
];
