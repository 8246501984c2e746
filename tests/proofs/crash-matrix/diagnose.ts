//! Describes the remains of a failed cell's request: its operations, steps and envelopes.

import type { Environment } from './environment.ts';
import type { OrderFixture } from './order-fixture.ts';

export async function diagnose(
  { monitor }: Environment,
  { orderId, buyerId, sellerId }: OrderFixture,
): Promise<string[]> {
  const operations = await monitor.query<{ text: string }>(
    `select format('%s %s of %s: %s, epoch %s, attempt %s, next try in %s, steps %s', operation.kind,
       operation.id, resource_id, status, epoch, attempts, date_trunc('second', next_try_at - now()),
       (select string_agg(name || ' ' || step.status, ', ' order by started_at)
        from operation_step step where step.operation_id = operation.id)) as text
     from operation where resource_id in ($1, $2, $3,
       (select escrow_id from orders where id = $1)) order by operation.id`,
    [orderId, buyerId, sellerId],
  );
  const envelopes = await monitor.query<{ text: string }>(
    `select format('envelope %s, try %s: %s %s, from %s at %s until %s', purpose, attempt, state,
       left(result, 20), source, sequence, to_timestamp(max_time)) as text
     from envelope where state = 'OPEN' or substring(purpose from 'op_\\w+$') in
       (select id from operation where resource_id in ($1, $2, $3)) order by created_at`,
    [orderId, buyerId, sellerId],
  );
  return [...operations.rows, ...envelopes.rows].map(({ text }) => text);
}
