//! Background job that restarts operations whose attempt was lost, even if Restate lost its data.

import { systemCall } from '../platform/call.ts';
import { type Transactor, type Tx, transact } from '../platform/database/transact.ts';
import { OPERATION_RECLAIMED } from '../platform/process/alarms.ts';
import { mapAtOnce } from '../platform/semaphore.ts';
import type { Engine } from './engine.ts';
import { listSilentOperations, type SilentOperation, takeOverOperation } from './operation.ts';

export interface Sweeper extends Transactor {
  readonly engine: Engine;
}

/** A running attempt sends a heartbeat every three seconds; a due one sends its first at once. */
export const SILENT_MS = 10_000;
const OPERATIONS_MAX = 200;
const AT_ONCE = 8;

/**
 * Increments the epoch, so that a suspended attempt can write nothing, and submits the operation.
 * Any number of workers may run this: only one increments an epoch, and the new one is not silent.
 */
export async function sweepOperations(app: Sweeper): Promise<number> {
  const silent = await listSilentOperations(app.pool, OPERATIONS_MAX, app.clock.now() - SILENT_MS);
  if (silent.length === 0 || (await app.engine.isUp()) !== true) return 0;
  const swept = await mapAtOnce(AT_ONCE, silent, (each) => sweep(app, each));
  return swept.filter(Boolean).length;
}

async function sweep(app: Sweeper, silent: SilentOperation): Promise<boolean> {
  const { id, epoch } = silent;
  try {
    const call = systemCall(silent.marketplace);
    const takeOver = (tx: Tx) => takeOverOperation(tx, silent);
    const taken = await transact(app, call, takeOver, 'read committed');
    if (taken === undefined) return false;
    app.log.warn({ operationId: id, kind: taken.kind, epoch: taken.epoch }, OPERATION_RECLAIMED);
    await app.engine.submit(taken);
    return true;
  } catch (error) {
    // It stays silent, so the next sweep finds it again.
    app.log.warn({ operationId: id, epoch, err: error }, 'operation reclaim failed');
    return false;
  }
}
