//! The only way to change data outside the books: one serializable transaction, bounded retries.
import { Refusal, refuse } from '@holdfast/contract/errors';
import type { LineageStatus } from '@holdfast/contract/records/recovery-records';
import { assert } from '@holdfast/kernel/assert';
import { type Clock, instantText } from '@holdfast/kernel/clock';
import type { AuditId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import { backOff } from '../backoff.ts';
import {
  type Call,
  type IdempotencyClaim,
  NO_MARKETPLACE,
  OpenRequest,
  Replay,
  type StoredResponse,
  type Tx,
} from '../call.ts';
import type { Log } from '../process/log.ts';
import { inSpan } from '../telemetry/spans.ts';
import { BEGIN_READ, beginTransaction } from './begin-transaction.ts';
import { hasSessionEnded, isDatabaseAway, unavailable } from './database.ts';
import { WRITE_OF_ITS_OWN } from './durable.ts';
import { refuseUnlessWritable } from './lineage.ts';
import { refuseWhileFrozen } from './marketplace-stop.ts';
import { sql } from './sql.ts';

export type { Tx } from '../call.ts';

/** The dependencies of `transact`. */
export interface Transactor {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Log;
  /** First in every writing transaction; throws when the caller has lost its right to write. */
  readonly fence?: (tx: Tx) => Promise<void>;
}

/** About three seconds in all: on a busy machine concurrent transactions conflict repeatedly. */
const ATTEMPTS_MAX = 20;
const COLLISIONS = new Set(['40001', '40P01']);

/**
 * Runs the work in a serializable transaction and stores its response under the Idempotency-Key, if
 * there is one. An operation that honours keys runs exactly one of these and returns its result.
 *
 * Read committed is for rows that guard themselves: the `where` of the writing statement decides.
 * Under serializable they would conflict with other transactions on the same index page.
 */
export async function transact<T>(
  app: Transactor,
  call: Call,
  work: (tx: Tx) => Promise<T>,
  isolation: 'serializable' | 'read committed' = 'serializable',
): Promise<T> {
  const started = app.clock.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      const settings = { name: 'transaction', attributes: { isolation, attempt } };
      const result = await inSpan(settings, () => attemptOnce(app, call, work, isolation));
      app.log.debug({ durationMs: app.clock.now() - started, attempt }, 'transaction committed');
      return result;
    } catch (error) {
      if (error instanceof Refusal) await storeRefusal(app, call, error);
      if (error instanceof Replay) await confirmDurable(app, call);
      if (!isRolledBack(error) || attempt === ATTEMPTS_MAX) throw outward(error);
      await backOff(attempt);
    }
  }
}

/** Runs reads of one marketplace, in one snapshot. */
export async function read<T>(
  app: Transactor,
  call: Call,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withTransaction(app, call, BEGIN_READ, work);
    } catch (error) {
      if (!hasSessionEnded(error) || attempt === ATTEMPTS_MAX)
        throw isReadOnly(error) ? new Error('a read wrote', { cause: error }) : outward(error);
      await backOff(attempt);
    }
  }
}

/** Of our own transaction: a bug, not a database that takes no writes. */
function isReadOnly(error: unknown): boolean {
  return (error as { code?: string }).code === '25006';
}

async function attemptOnce<T>(
  app: Transactor,
  call: Call,
  work: (tx: Tx) => Promise<T>,
  isolation: string,
): Promise<T> {
  const { idempotency, movesMoney = false } = call;
  const begin = `begin isolation level ${isolation}`;
  return withTransaction(app, call, begin, async (tx, history) => {
    if (history !== undefined) refuseUnlessWritable(history);
    await app.fence?.(tx);
    if (idempotency !== undefined) await claimIdempotencyKey(tx, idempotency);
    if (movesMoney) await refuseWhileFrozen(tx);
    const result = await work(tx);
    await call.beforeCommit?.(tx);
    if (idempotency !== undefined) await bindKey(tx, idempotency, result);
    return result;
  });
}

async function withTransaction<T>(
  app: Transactor,
  call: Call,
  begin: string,
  work: (tx: Tx, history: LineageStatus | undefined) => Promise<T>,
): Promise<T> {
  assert(call.actor.kind !== 'anonymous', 'an anonymous actor reaches no table');
  const client = await app.pool.connect();
  let broken: Error | undefined;
  try {
    const marketplace = 'marketplace' in call.actor ? call.actor.marketplace : NO_MARKETPLACE;
    const history = await beginTransaction(client, begin, call, marketplace);
    let written: AuditId | undefined;
    const tx: Tx = {
      now: app.clock.now(),
      actor: call.actor,
      requestId: call.requestId,
      marketplace,
      query: async (query) => (await client.query({ ...query, values: [...query.values] })).rows,
      recordWrite: (auditId) => {
        written ??= auditId;
      },
    };
    const result = await work(tx, history);
    await client.query('commit');
    if (written !== undefined) call.onWrite?.({ id: written, requestId: tx.requestId, at: tx.now });
    return result;
  } catch (error) {
    // A connection that cannot roll back is discarded, and the transaction with it. A lost one
    // would only take its time.
    if (isDatabaseAway(error)) broken = error as Error;
    else
      await client.query('rollback').catch((failure: Error) => {
        broken = failure;
      });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Claims the key for this transaction, or reports the earlier request's state. */
async function claimIdempotencyKey(
  tx: Tx,
  { scopeHash, requestHash }: IdempotencyClaim,
): Promise<void> {
  const [lock] = await tx.query<{ free: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended(${scopeHash}, 0)) as free`);
  if (!lock?.free) refuse('IDEMPOTENCY_KEY_IN_PROGRESS', {});
  const [seen] = await tx.query<SeenKey>(sql`
    select request_hash, status, response, operation_id from idempotency
    where marketplace_id = ${tx.marketplace} and scope_hash = ${scopeHash}`);
  if (seen === undefined) return;
  if (seen.request_hash !== requestHash) refuse('IDEMPOTENCY_KEY_REUSED', {});
  if (seen.operation_id !== null) throw new OpenRequest(seen.operation_id);
  throw new Replay({ status: seen.status, body: seen.response });
}

interface SeenKey {
  readonly request_hash: string;
  readonly status: number;
  readonly response: string;
  readonly operation_id: string | null;
}

/** To the response, or to the operation that will give one. */
async function bindKey(tx: Tx, claimed: IdempotencyClaim, result: unknown): Promise<void> {
  if (claimed.operationOf === undefined) return storeResponse(tx, claimed, claimed.render(result));
  await tx.query(sql`
    insert into idempotency (marketplace_id, scope_hash, request_hash, created_at, operation_id)
    values (${tx.marketplace}, ${claimed.scopeHash}, ${claimed.requestHash},
      ${instantText(tx.now)}, ${claimed.operationOf(result)})
    on conflict do nothing`);
}

async function storeResponse(
  tx: Tx,
  claimed: IdempotencyClaim,
  response: StoredResponse,
): Promise<void> {
  await tx.query(sql`
    insert into idempotency (marketplace_id, scope_hash, request_hash, created_at, status, response)
    values (${tx.marketplace}, ${claimed.scopeHash}, ${claimed.requestHash},
      ${instantText(tx.now)}, ${response.status}, ${response.body})
    on conflict do nothing`);
}

/** Stores the response that an operation has given. */
export async function storeOperationResponse(
  app: Transactor,
  call: Call,
  operationId: string,
  response: StoredResponse,
): Promise<void> {
  const { idempotency } = call;
  if (idempotency === undefined) return;
  await withTransaction(app, call, 'begin', (tx) =>
    tx.query(sql`
      update idempotency set status = ${response.status}, response = ${response.body},
        operation_id = null
      where marketplace_id = ${tx.marketplace} and scope_hash = ${idempotency.scopeHash}
        and operation_id = ${operationId}`),
  );
  idempotency.onRefusalStored?.();
}

/** Replaces a response that was stored before all of it was known. */
export async function replaceResponse(
  app: Transactor,
  call: Call,
  { status, body }: StoredResponse,
): Promise<void> {
  const { idempotency } = call;
  if (idempotency === undefined) return;
  await withTransaction(app, call, 'begin', (tx) =>
    tx.query(sql`
      update idempotency set status = ${status}, response = ${body}
      where marketplace_id = ${tx.marketplace} and scope_hash = ${idempotency.scopeHash}`),
  );
}

/** The transaction of the stored response may have been cut off while it waited for the standby. */
async function confirmDurable(app: Transactor, call: Call): Promise<void> {
  const write = (tx: Tx) => tx.query(WRITE_OF_ITS_OWN);
  await withTransaction(app, call, 'begin', write).catch((error: unknown) => {
    throw outward(error);
  });
}

/** A refusal rolls its transaction back, so its response is stored in a separate one. */
async function storeRefusal(app: Transactor, call: Call, refusal: Refusal): Promise<void> {
  const { idempotency } = call;
  const response = idempotency?.renderRefusal(refusal);
  if (idempotency === undefined || response === undefined) return;
  await withTransaction(app, call, 'begin', (tx) => storeResponse(tx, idempotency, response));
  idempotency.onRefusalStored?.();
}

/** Too much contention is not a bug either: the caller may retry. */
function outward(error: unknown): unknown {
  if (!isCollision(error)) return unavailable(error) ?? error;
  const reason = 'too many concurrent changes of the same record';
  return new Refusal('SERVICE_UNAVAILABLE', { reason, retryAfter: 1 });
}

/** Known to have had no effect: the work may run again. */
function isRolledBack(error: unknown): boolean {
  return isCollision(error) || hasSessionEnded(error);
}

function isCollision(error: unknown): boolean {
  return COLLISIONS.has((error as { code?: string }).code ?? '');
}
