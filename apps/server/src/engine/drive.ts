//! Drives an operation once: through its saga from the first line, as far as it goes today.
import { Refusal } from '@holdfast/contract/errors';
import type { OperationId } from '@holdfast/kernel/ids';
import { aboutMs } from '../platform/backoff.ts';
import type { Call } from '../platform/call.ts';
import { isDatabaseAway } from '../platform/database.ts';
import { failpoint, passFor } from '../platform/failpoint.ts';
import { type Transactor, transact } from '../platform/transact.ts';
import { beginDrive, findOperation, isOpen, type Operation, Overtaken } from './operation.ts';
import { readSteps } from './operation-step.ts';
import type { DriveAnswer, Sagas } from './saga.ts';
import { DriveOver, DriveRun } from './saga-run.ts';

/** Which operation, as seen by whoever asks: a newer epoch answers `overtaken`. */
export interface Turn {
  readonly operationId: OperationId;
  readonly epoch: number;
}

/** A bug may pass with the next build; one that stays is an operator's to see. */
const BUGS_MAX = 5;

/**
 * Throws only when the database is away: then nothing is known, and whoever asked asks again.
 * Everything else is an answer.
 */
export async function driveOnce<A extends Transactor>(
  app: A,
  sagas: Sagas<A>,
  call: Call,
  { operationId, epoch }: Turn,
): Promise<DriveAnswer> {
  const begun = await transact(
    app,
    call,
    async (tx) => {
      const operation = await beginDrive(tx, operationId, epoch);
      if (operation === undefined) return outcomeOf(await findOperation(tx, operationId));
      const steps = await readSteps(tx, operationId);
      // Only now is it known for whom: a death here leaves as much as one before the transaction.
      await passFor(operation.correlationId, async () =>
        failpoint(`${operation.kind}:begin:in-tx`),
      );
      return { kind: 'begun' as const, operation, steps };
    },
    'read committed',
  );
  if (begun.kind !== 'begun') return begun;
  const { operation, steps } = begun;
  const run = new DriveRun(app, operation, steps, waitMs(operation.lastWaitMs));
  return passFor(operation.correlationId, () => runFenced(app, sagas, run));
}

async function runFenced<A extends Transactor>(
  app: A,
  sagas: Sagas<A>,
  run: DriveRun<A>,
): Promise<DriveAnswer> {
  failpoint(`${run.operation.kind}:begin:after-tx`);
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
  run: DriveRun<A>,
): Promise<DriveAnswer> {
  const { id, kind, plan, attempts } = run.operation;
  try {
    const saga = sagas.get(kind);
    // A newer build may have begun it: one that knows the saga goes on.
    if (saga === undefined) throw new Error(`this build has no saga ${kind}`);
    const result = await saga.run(run, plan);
    return run.answer ?? (await run.end(result));
  } catch (error) {
    if (error instanceof DriveOver) return error.answer;
    if (error instanceof Overtaken || isPassing(error)) throw error;
    const { message: reason, stack } = error as Error;
    app.log.error({ operationId: id, kind, attempts, reason, stack }, 'meet bug');
    // The operation may have ended before the bug.
    return run.answer ?? run.postpone(attempts < BUGS_MAX ? undefined : reason);
  }
}

/** What is known of an operation that can't be driven on. */
function outcomeOf(operation: Operation | undefined): DriveAnswer {
  if (operation === undefined || isOpen(operation)) return { kind: 'overtaken' };
  const { refusal, result } = operation;
  return refusal === null ? { kind: 'done', result } : { kind: 'refused', ...refusal };
}

/** Connections, resources, locks, shutdowns and collisions: the next try may well succeed. */
function isPassing(error: unknown): boolean {
  if (error instanceof Refusal) return error.code === 'SERVICE_UNAVAILABLE';
  if (isDatabaseAway(error)) return true;
  return /^(08|40|53|55|57)[0-9A-Z]{3}$/.test((error as { code?: string }).code ?? '');
}

const FIRST_WAIT_MS = 500;
const WAIT_MS_MAX = 30_000;

/**
 * Half a second, one, two … half a minute, give or take a fifth: twice what the drive before it
 * waited. One that died with its worker learned nothing, so the next begins with the shortest.
 */
export function waitMs(lastWaitMs: number): number {
  const waits = lastWaitMs > 0 ? 1 + Math.round(Math.log2(lastWaitMs / FIRST_WAIT_MS)) : 0;
  const usual = Math.min(WAIT_MS_MAX, FIRST_WAIT_MS * 2 ** Math.max(waits, 0));
  return aboutMs(usual);
}
