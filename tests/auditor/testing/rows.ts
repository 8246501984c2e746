//! Helpers for all rows of the healthy world: ids, actors, and the owners of money.
import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';

export const ACTOR = 'key_00000000000000000000000001';

/** Prefix, eleven characters of microseconds, sixteen random ones: the form that I20 expects. */
export function newId(prefix: string): string {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
  let micros = BigInt(Date.now()) * 1000n;
  let time = '';
  for (let index = 0; index < 11; index += 1) {
    time = `${alphabet[Number(micros % 32n)]}${time}`;
    micros /= 32n;
  }
  return `${prefix}_${time}${[...randomBytes(16)].map((byte) => alphabet[byte % 32]).join('')}`;
}

export interface Purse {
  readonly marketplace: string;
  readonly user: string;
  readonly currency: string;
  readonly account: string;
  readonly house: string;
}

export async function one(client: Client, text: string, values: unknown[]): Promise<string> {
  const { rows } = await client.query<[string]>({ text, values, rowMode: 'array' });
  return rows[0]?.[0] as string;
}

export interface Written {
  readonly marketplace: string;
  readonly action: string;
  readonly type: string;
  readonly id: string;
  readonly correlation: string;
  readonly at?: string;
  /** A key, or the master key. */
  readonly actor?: string;
  readonly result?: string;
  readonly before?: object;
  readonly after?: object;
  /** The event of this action, and its aggregate. */
  readonly event?: readonly [type: string, aggregate: string];
}

/** Writes an action to the audit log and the outbox, with its event. */
export async function writeDown(client: Client, row: Written): Promise<void> {
  const { marketplace, action, type, id, correlation, actor = ACTOR, before, after, event } = row;
  const { at = new Date().toISOString(), result = 'SUCCESS' } = row;
  const auditId = newId('aud');
  await client.query(
    `insert into audit (marketplace_id, id, occurred_at, action, resource_type, resource_id, before,
       after, actor_type, actor_id, result, correlation_id)
     values ($1, $2, $3, $4, $5, $6, jsonb_strip_nulls($7), $8, $9, $10, $11, $12)`,
    [
      ...[marketplace, auditId, at, action, type, id, before ?? null, after ?? null],
      ...[actor === 'master' ? 'MASTER_KEY' : 'API_KEY', actor, result, correlation],
    ],
  );
  const [eventType = null, aggregate = null] = event ?? [];
  await client.query(
    `insert into outbox (marketplace_id, event_type, aggregate_id, payload, audit_id, actor_id,
       correlation_id) values ($1, $2, $3, $4, $5, $6, $7)`,
    [marketplace, eventType, aggregate, eventType && '{}', auditId, actor, correlation],
  );
}

/** Moves money by a function of the books; `%` in it stands for actor, time and subject. */
export async function pass(
  client: Client,
  posting: string,
  subject: 'order' | 'topup' | 'withdrawal',
  values: readonly [now: string, id: string, correlation: string],
): Promise<void> {
  const named = `p_now => $1, p_${subject} => $2, p_correlation => $3, p_actor => $4`;
  await client.query(`select books.${posting.replace('%', named)}`, [...values, ACTOR]);
}

export async function writeStep(
  client: Client,
  marketplace: string,
  operation: string,
  [name, status, purpose]: readonly [name: string, status: string, purpose: string],
): Promise<void> {
  await client.query(
    `insert into operation_step (marketplace_id, operation_id, name, epoch, status, purpose,
       moves_money, started_at, ended_at) values ($1, $2, $3, 1, $4, $5, false, now(), $6)`,
    [marketplace, operation, name, status, purpose, status === 'CLAIMED' ? null : new Date()],
  );
}

/** Its hash is named after its purpose. */
export async function writeEnvelope(
  client: Client,
  marketplace: string,
  purpose: string,
  state = 'APPLIED',
): Promise<string> {
  const hash = `hash of ${purpose}`;
  await client.query(
    `insert into envelope (marketplace_id, purpose, attempt, hash, xdr, source, sequence, max_time,
       state, created_at) values ($1, $2, 1, $3, '', 'GCHANNEL', 1, 1, $4, now())`,
    [marketplace, purpose, hash, state],
  );
  return hash;
}
