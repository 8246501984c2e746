//! The baseline: the same operations called in this process, their sagas run at once. No HTTP,
//! no engine; the same database and the same sandbox.
import { randomUUID } from 'node:crypto';
import type { OrderId, UserId } from '@holdfast/kernel/ids';
import { sagas } from '../../apps/server/src/app/sagas.ts';
import { type App, clockOf, wire } from '../../apps/server/src/app/wire.ts';
import { type Custody, wireCustody } from '../../apps/server/src/app/wire-worker.ts';
import { executeOnce } from '../../apps/server/src/engine/attempt.ts';
import { type Engine, unwrapResult } from '../../apps/server/src/engine/engine.ts';
import type { Operation } from '../../apps/server/src/engine/operation.ts';
import { sagasOf } from '../../apps/server/src/engine/saga.ts';
import { createEscrow } from '../../apps/server/src/orders/escrow/create-escrow.ts';
import { fundEscrow } from '../../apps/server/src/orders/escrow/fund-escrow.ts';
import { completeMilestone } from '../../apps/server/src/orders/order/complete-milestone.ts';
import { createOrder } from '../../apps/server/src/orders/order/create-order.ts';
import { reserveOrder } from '../../apps/server/src/orders/order/reserve-order.ts';
import { releaseOrder } from '../../apps/server/src/orders/settlement/release-order.ts';
import { type Call, type KeyActor, systemCall } from '../../apps/server/src/platform/call.ts';
import { readConfig } from '../../apps/server/src/platform/config/config.ts';
import type { Side } from './life.ts';

export interface InProcess {
  readonly side: Side;
  close(): Promise<void>;
}

export async function openInProcess(
  env: Readonly<Record<string, string>>,
  apiKey: string,
): Promise<InProcess> {
  const config = readConfig(env, 'api');
  const clock = await clockOf(config);
  const app = wire(config, 'api', clock);
  const ofWorker = { ...config, HOLDFAST_DATABASE_ROLE: 'holdfast_worker' };
  const worker = wire(ofWorker, 'worker', clock);
  const custody = wireCustody(ofWorker, worker);
  if (custody === undefined) throw new Error('the sandbox gives all that custody needs');
  const actor = await app.authenticator.identify(apiKey, 'in-process');
  if (actor?.kind !== 'key') throw new Error('the bench has a key of a marketplace');
  const engine = engineOf(custody);
  return {
    side: sideOf({ ...app, engine }, actor),
    close: async () => void (await Promise.all([app.close(), worker.close()])),
  };
}

/** Executes at once, with the parts of a worker. Work without a waiting caller runs beside it. */
function engineOf(custody: Custody): Engine {
  const known = sagasOf(sagas);
  const engine: Engine = {
    checkUp: async () => undefined,
    advanceMark: async () => null,
    isUp: async () => true,
    close: async () => undefined,
    send: async () => undefined,
    submit: async (operation) => {
      execute(operation).catch((error: Error) => {
        process.stderr.write(`${operation.kind} failed in place: ${error.message}\n`);
      });
    },
    execute: async <T>(operation: Operation) => {
      const result = await execute(operation);
      if (result.kind === 'overtaken') throw new Error(`${operation.id} was overtaken`);
      return unwrapResult<T>(operation.id, result);
    },
  };
  const app = { ...custody, engine };
  const execute = ({ marketplace, id, epoch }: Operation) =>
    executeOnce(app, known, systemCall(marketplace), { operationId: id, epoch });
  return engine;
}

function sideOf(app: App, actor: KeyActor): Side {
  const call = (): Call => ({ actor, requestId: randomUUID(), idempotency: undefined });
  return {
    createOrder: async ({ milestones, ...input }) => {
      const parties = { buyerId: input.buyerId as UserId, sellerId: input.sellerId as UserId };
      const wanted = { ...input, ...parties, milestones: [...milestones] };
      return (await createOrder(app, call(), wanted)).order.id;
    },
    reserve: async (id) => void (await reserveOrder(app, call(), id as OrderId)),
    createEscrow: async (id) => void (await createEscrow(app, call(), id as OrderId)),
    fund: async (id) => void (await fundEscrow(app, call(), id as OrderId)),
    complete: async (id, ref) => void (await completeMilestone(app, call(), id as OrderId, ref)),
    release: async (id) => void (await releaseOrder(app, call(), id as OrderId)),
  };
}
