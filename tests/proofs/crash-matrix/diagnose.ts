//! Describes the remains of a failed cell's request: its operations, steps and envelopes.

import type { Environment } from './environment.ts';
import type { Fixture } from './saga-row.ts';

/** The subject, its users, and what belongs to them. */
const RESOURCES = `select $1 union all select unnest($2::text[])
  union all select escrow_id from orders where id = $1
  union all select id from topup where user_id = any ($2)
  union all select id from withdrawal where user_id = any ($2)`;

export async function diagnose(
  { monitor }: Environment,
  { subjectId, userIds }: Fixture,
): Promise<string[]> {
  const operations = await monitor.query<{ text: string }>(
    `select format('%s %s of %s: %s, epoch %s, attempt %s, next try in %s, steps %s', operation.kind,
       operation.id, resource_id, status, epoch, attempts, date_trunc('second', next_try_at - now()),
       (select string_agg(name || ' ' || step.status, ', ' order by started_at)
        from operation_step step where step.operation_id = operation.id)) as text
     from operation where resource_id in (${RESOURCES}) order by operation.id`,
    [subjectId, userIds],
  );
  const envelopes = await monitor.query<{ text: string }>(
    `select format('envelope %s, try %s: %s %s, from %s at %s until %s', purpose, attempt, state,
       left(result, 20), source, sequence, to_timestamp(max_time)) as text
     from envelope where state = 'OPEN' or substring(purpose from 'op_\\w+$') in
       (select id from operation where resource_id in (${RESOURCES})) order by created_at`,
    [subjectId, userIds],
  );
  return [...operations.rows, ...envelopes.rows].map(({ text }) => text);
}
