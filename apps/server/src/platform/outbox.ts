//! Publishing: an event is written in the transaction of the change it reports, or not at all.
import { type EventName, events, type PayloadOf } from '@holdfast/contract/events';
import { assert } from '@holdfast/kernel/assert';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { sql } from './sql.ts';
import type { Tx } from './transact.ts';

const shapes = new Map(
  Object.entries(events).map(([name, row]) => [name, Compile(row.payload as TSchema)]),
);

export async function emit<N extends EventName>(
  tx: Tx,
  name: N,
  aggregateId: string,
  payload: PayloadOf<N>,
): Promise<void> {
  assert(shapes.get(name)?.Check(payload), `the payload of ${name} is as published`);
  await tx.query(sql`
    insert into outbox (marketplace_id, event_type, aggregate_id, payload, actor_id, correlation_id)
    values (${tx.marketplace}, ${name}, ${aggregateId}, ${JSON.stringify(payload)},
      ${tx.actor.id}, ${tx.requestId})`);
}
