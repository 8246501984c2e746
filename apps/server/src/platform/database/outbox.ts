//! The outbox: events and audit rows that await sequencing, written in the transaction of their
//! change.
import { type EventName, events, type PayloadOf } from '@holdfast/contract/events';
import { assert } from '@holdfast/kernel/assert';
import type { AuditId, UserId } from '@holdfast/kernel/ids';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { RowNumber } from './database.ts';
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
  about: {
    readonly userId?: UserId;
    /** Set where the caller is outside all marketplaces and acts on one. */
    readonly marketplace?: RowNumber;
  } = {},
): Promise<void> {
  assert(shapes.get(name)?.Check(payload), `the payload of ${name} is as published`);
  await tx.query(sql`
    insert into outbox (marketplace_id, event_type, aggregate_id, payload, actor_id, correlation_id,
      user_id)
    values (${about.marketplace ?? tx.marketplace}, ${name}, ${aggregateId},
      ${JSON.stringify(payload)}, ${tx.actor.id}, ${tx.requestId},
      ${about.userId ?? userOf(payload)})`);
}

/** Most payloads that are about one user name that user. */
function userOf(payload: object): string | null {
  return 'userId' in payload && typeof payload.userId === 'string' ? payload.userId : null;
}

/** An audit row on its way into its marketplace's chain. */
export async function awaitLink(tx: Tx, marketplace: RowNumber, auditId: AuditId): Promise<void> {
  tx.recordWrite(auditId);
  await tx.query(sql`
    insert into outbox (marketplace_id, audit_id, actor_id, correlation_id)
    values (${marketplace}, ${auditId}, ${tx.actor.id}, ${tx.requestId})`);
}
