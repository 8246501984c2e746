//! A second implementation of the sequencer: gives waiting rows their position in log and chain.
import type { Client } from 'pg';

const WIRE = `to_char($1 / 100.0, 'FM9999999999999999990.00')`;
const wire = (minor: string) => WIRE.replace('$1', minor);

/** An event id starts with its time; random characters follow. */
const EVENT_ID = `left(id_floor('evt', head.occurred_at), 15) || left(md5(random()::text), 16)`;

/** The payload of a balance event, as far as the auditor compares it. */
const IS_DEBIT = `waiting.event_type = 'balance.debited'`;
const after = (bucket: string) =>
  wire(`case when ${IS_DEBIT} then e.from_${bucket}
    else coalesce(e.to_${bucket}, e.from_${bucket}) end`);
const PAYLOAD = `json_strip_nulls(json_build_object('userId', waiting.aggregate_id,
  'amount', ${wire('e.amount')}, 'currency', e.currency,
  'newAvailableBalance', ${after('available')},
  'newReservedBalance', case when 'reserved' in (e.from_bucket, e.to_bucket)
    then ${after('reserved')} end))`;

const SEQUENCE = `do $$
  declare
    waiting outbox;
    head event_head;
    a audit;
    e entry;
  begin
    for waiting in select * from outbox order by id loop
      insert into event_head values (waiting.marketplace_id, 0, 'epoch', 0, decode(repeat('00', 32), 'hex'))
      on conflict do nothing;
      select * into head from event_head where marketplace_id = waiting.marketplace_id;
      select * into e from entry
      where marketplace_id = waiting.marketplace_id and id = waiting.entry_id;
      if waiting.event_type is not null then
        head.position := head.position + 1;
        head.occurred_at := greatest(clock_timestamp(), head.occurred_at + interval '1 microsecond');
        insert into event values (head.marketplace_id, head.position, head.occurred_at, ${EVENT_ID},
          waiting.event_type, waiting.aggregate_id, waiting.entry_id,
          coalesce(waiting.payload, ${PAYLOAD}), waiting.actor_id, waiting.correlation_id);
      end if;
      if waiting.audit_id is not null then
        select * into a from audit
        where marketplace_id = waiting.marketplace_id and id = waiting.audit_id;
        head.chain_position := head.chain_position + 1;
        head.chain_hash := sha256(head.chain_hash || convert_to(audit_content(a, e), 'UTF8'));
        insert into audit_link values (head.marketplace_id, head.chain_position, a.id, head.chain_hash);
      end if;
      update event_head set position = head.position, occurred_at = head.occurred_at,
        chain_position = head.chain_position, chain_hash = head.chain_hash
      where marketplace_id = head.marketplace_id;
      delete from outbox where id = waiting.id;
    end loop;
  end $$`;

export async function sequence(client: Client): Promise<void> {
  await client.query(SEQUENCE);
}
