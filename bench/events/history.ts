//! Writes a long log of one marketplace in one statement.
import { print } from '../../tests/harness/report.ts';
import type { OpenSet } from '../../tests/harness/set.ts';
import { grouped } from '../harness/figures.ts';

export interface History {
  /** Its row number. */
  marketplace: string;
  /** Just before the first event. */
  since: string;
  events: number;
}

/** A millisecond between two events; the last was a minute ago. */
export async function fillHistory({ set, monitor }: OpenSet, events: number): Promise<History> {
  const { rows } = await monitor.query<{ id: string; since: string }>(
    `select id, to_char((now() - make_interval(secs => 60 + $2::int / 1000.0)) at time zone 'UTC',
       'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as since
     from marketplace where public_id = $1`,
    [set.ready.marketplaceId, events],
  );
  const [found] = rows;
  if (found === undefined) throw new Error('the first marketplace is not there');
  const { id: marketplace, since } = found;
  const startedAt = performance.now();
  await monitor.query(
    `insert into event (marketplace_id, position, occurred_at, id, event_type, aggregate_id,
       payload, actor_id, correlation_id)
     select $1, n, $2::timestamptz + n * interval '1 millisecond',
       left(id_floor('evt', $2), 15) || lpad(n::text, 16, '0'), 'order.created',
       'ord_' || lpad(n::text, 27, '0'),
       ('{"orderId":"ord_' || lpad(n::text, 27, '0') || '","buyerId":"usr_'
         || lpad((n % 1000)::text, 27, '0') || '","sellerId":"usr_'
         || lpad((n % 77)::text, 27, '0') || '","amount":"' || n % 10000 || '.50","currency":"USD",'
         || '"title":"Twelve chairs","description":"Twelve chairs of oak, oiled, without arm rests, '
         || 'to be delivered in the first week","clientOrderRef":"shop-' || n || '"}')::json,
       'key_' || lpad('7', 27, '0'), gen_random_uuid()
     from generate_series(1, $3::int) n`,
    [marketplace, since, events],
  );
  await monitor.query(
    `insert into event_head as h (marketplace_id, position, occurred_at, chain_position, chain_hash)
     values ($1, $3::int, $2::timestamptz + $3::int * interval '1 millisecond', 0,
       decode(repeat('00', 32), 'hex'))
     on conflict (marketplace_id) do update
     set position = excluded.position, occurred_at = excluded.occurred_at`,
    [marketplace, since, events],
  );
  await monitor.query('vacuum analyze event');
  const { rows: sizes } = await monitor.query<{ bytes: number }>(
    'select avg(octet_length(payload::text))::int as bytes from event where marketplace_id = $1',
    [marketplace],
  );
  print(
    `${grouped(events)} events of ${sizes[0]?.bytes} bytes of payload, ` +
      `filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
  );
  return { marketplace, since, events };
}
