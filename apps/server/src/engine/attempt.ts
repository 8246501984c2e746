//! Executes one attempt of an operation: runs its saga from the first line as far as it gets.

import { Refusal } from '@holdfast/contract/errors';
import type { OperationId } from '@holdfast/kernel/ids';
import { jitteredMs } from '../platform/backoff.ts';
import type { Call } from '../platform/call.ts';
import { isDatabaseAway } from '../platform/database/database.ts';
import { type Transactor, transact } from '../platform/database/transact.ts';
import { UNHANDLED_ERROR } from '../platform/process/alarms.ts';
import { failpoint, passFor } from '../platform/process/failpoint.ts';
import { count } from '../platform/telemetry/metrics.ts';
import { inSpan, sampledShare } from '../platform/telemetry/spans.ts';
import { inTrace, readTraceparent, startTrace } from '../platform/telemetry/trace.ts';
import { AttemptEnded, AttemptRun } from './attempt-run.ts';
import { findOperation, isOpen, type Operation, Overtaken, startAttempt } from './operation.ts';
import { readSteps } from './operation-step.ts';
import type { AttemptResult, Sagas } from './saga.ts';

/**
 * An operation under the epoch that the caller knows. Under a newer epoch the result is
 * `overtaken`.
 */
export interface OperationRef {
  readonly operationId: OperationId;
  readonly epoch: number;
}

/** The next build may fix a bug. After this many failed attempts an operator must see it. */
const BUGS_MAX = 5;

/**
 * Throws only when the database is unavailable: the outcome is unknown, and the caller retries.
 * Every other case is a returned result.
 */
export async function executeOnce<A extends Transactor>(
  app: A,
  sagas: Sagas<A>,
  call: Call,
  { operationId, epoch }: OperationRef,
): Promise<AttemptResult> {
  const started = await transact(
    app,
    call,
    async (tx) => {
      const operation = await startAttempt(tx, operationId, epoch);
      if (operation === undefined) return outcomeOf(await findOperation(tx, operationId));
      const steps = await readSteps(tx, operationId);
      // The correlation id is known only now. A crash here leaves the same state as one before the
      // transaction.
      await passFor([operation.correlationId], async () =>
        failpoint(`${operation.kind}:start:in-tx`),
      );
      return { kind: 'started' as const, operation, steps };
    },
    'read committed',
  );
  if (started.kind !== 'started') return started;
  const { operation, steps } = started;
  const run = new AttemptRun(app, operation, steps, waitMs(operation.lastWaitMs));
  // What a job opened has no request: its attempts are traces of their own.
  const trace = readTraceparent(operation.traceparent) ?? startTrace(sampledShare());
  return passFor([operation.correlationId], () =>
    inTrace(trace, () => inSpan(spanOf(operation), () => runFenced(app, sagas, run))),
  );
}

function spanOf({ id, kind, attempts }: Operation) {
  const attributes = { 'holdfast.operation_id': id, 'holdfast.attempt': attempts };
  return { name: `attempt ${kind}`, attributes };
}

async function runFenced<A extends Transactor>(
  app: A,
  sagas: Sagas<A>,
  run: AttemptRun<A>,
): Promise<AttemptResult> {
  failpoint(`${run.operation.kind}:start:after-tx`);
  try {
    return await runSaga(app, sagas, run);
  } catch (error) {
    if (error instanceof Overtaken) return { kind: 'overtaken' };
    throw error;
  }
}

async function runSaga<A extends Transactor>(
  app: A,
  sagas: Sagas<A>,
  run: AttemptRun<A>,
): Promise<AttemptResult> {
  const { id, kind, plan, attempts } = run.operation;
  try {
    const saga = sagas.get(kind);
    // A newer build may have started it; a worker that has the saga will continue.
    if (saga === undefined) throw new Error(`this build has no saga ${kind}`);
    const result = await saga.run(run, plan);
    return run.result ?? (await run.end(result));
  } catch (error) {
    if (error instanceof AttemptEnded) return error.result;
    if (error instanceof Overtaken || isTransient(error)) throw error;
    const { message: reason } = error as Error;
    app.log.error({ operationId: id, kind, attempts, err: error }, UNHANDLED_ERROR);
    count('holdfast_bugs_total', { source: 'saga' });
    // The operation may have ended before the bug.
    return run.result ?? run.postpone(attempts < BUGS_MAX ? undefined : reason);
  }
}

/** The result for an operation that has ended or belongs to another attempt. */
function outcomeOf(operation: Operation | undefined): AttemptResult {
  if (operation === undefined || isOpen(operation)) return { kind: 'overtaken' };
  const { refusal, result } = operation;
  return refusal === null ? { kind: 'done', result } : { kind: 'refused', ...refusal };
}

/** Connections, resources, locks, shutdowns and collisions: the next attempt may succeed. */
function isTransient(error: unknown): boolean {
  if (error instanceof Refusal)
    return error.code === 'SERVICE_UNAVAILABLE' || error.code === 'RECOVERING';
  if (isDatabaseAway(error)) return true;
  return /^(08|40|53|55|57)[0-9A-Z]{3}$/.test((error as { code?: string }).code ?? '');
}

const FIRST_WAIT_MS = 500;
const WAIT_MS_MAX = 30_000;

/**
 * From 0.5 to 30 seconds with 20% jitter: twice the wait of the previous attempt. An attempt that
 * died with its worker learned nothing, so the next wait is the shortest.
 */
export function waitMs(lastWaitMs: number): number {
  const waits = lastWaitMs > 0 ? 1 + Math.round(Math.log2(lastWaitMs / FIRST_WAIT_MS)) : 0;
  const usual = Math.min(WAIT_MS_MAX, FIRST_WAIT_MS * 2 ** Math.max(waits, 0));
  return jitteredMs(usual);
}
