//! Ways to execute operations in tests: in the test's own process, or by a real Restate.
import { fileURLToPath } from 'node:url';
import { systemClock } from '@holdfast/kernel/clock';
import { newId, type OperationId } from '@holdfast/kernel/ids';
import { afterAll } from 'vitest';
import {
  engineEnvironment,
  type LocalRestate,
  startRestate,
} from '../../../cli/src/local-restate.ts';
import { type ServerProcess, startProcess } from '../../../cli/src/server-process.ts';
import { scriptOf } from '../../../cli/src/testing/script.ts';
import { executeOnce } from '../engine/attempt.ts';
import { type Engine, unwrapResult } from '../engine/engine.ts';
import type { Operation } from '../engine/operation.ts';
import {
  endpointSettings,
  type RunningEndpoint,
  resourceObject,
  serveRestate,
} from '../engine/restate-endpoint.ts';
import { type Saga, sagasOf } from '../engine/saga.ts';
import { systemCall } from '../platform/call.ts';
import type { RowNumber } from '../platform/database/database.ts';
import type { Transactor } from '../platform/database/transact.ts';
import { createToyTables, toySaga } from './toy-saga.ts';
import { useMarket, useMarketIn, useOpened, type WorldWithMarket } from './use-world.ts';
import { openWorld, type World, type WorldOptions } from './world.ts';

/** Without Restate: the same rows and the same sagas, executed where the test can see them. */
export interface DirectEngine extends Engine {
  /**
   * Executes all open operations, without waiting for their time, until each has ended or stays
   * unknown. Returns how many are still open.
   */
  runWorker(): Promise<number>;
}

const ROUNDS_MAX = 10;

/**
 * From here on the world's requests are executed in place, with the parts and sagas of a worker.
 */
export function executeInProcess<A extends Transactor>(
  world: World,
  worker: A,
  list: readonly Saga<A>[],
): DirectEngine {
  const sagas = sagasOf(list);
  const attempt = (marketplace: RowNumber, operationId: OperationId, epoch: number) =>
    executeOnce(worker, sagas, systemCall(marketplace), { operationId, epoch });
  const engine: DirectEngine = {
    checkUp: async () => undefined,
    advanceMark: async () => null,
    isUp: async () => true,
    close: async () => undefined,
    send: async () => undefined,
    submit: async ({ marketplace, id, epoch }) => void (await attempt(marketplace, id, epoch)),
    execute: async <T>({ marketplace, id, epoch }: Operation) => {
      const result = await attempt(marketplace, id, epoch);
      if (result.kind === 'overtaken')
        throw new Error('a test executes an operation once at a time');
      return unwrapResult<T>(id, result);
    },
    runWorker: async () => {
      let open = await openOperations(world);
      for (let round = 0; round < ROUNDS_MAX && open.length > 0; round += 1) {
        for (const each of open) await attempt(each.marketplace_id, each.id, each.epoch);
        open = await openOperations(world);
      }
      return open.length;
    },
  };
  Object.assign(world.app, { engine });
  Object.assign(world.worker, { engine });
  return engine;
}

/** Toy operations are executed in the process of the test. */
export function useToyWorld(
  options?: WorldOptions,
): WorldWithMarket & { readonly engine: DirectEngine } {
  const { world, market } = useMarket(options);
  const engine = useOpened(async () => {
    await createToyTables(world);
    return executeInProcess(world, world.worker, [toySaga()]);
  });
  return { world, market, engine };
}

function openOperations(world: World) {
  return world.rows<{ marketplace_id: RowNumber; id: OperationId; epoch: number }>(
    `select o.marketplace_id, o.id, o.epoch from open_operation w
     join operation o on o.marketplace_id = w.marketplace_id and o.id = w.operation_id order by o.id`,
  );
}

const TOY_WORKER = scriptOf(fileURLToPath(new URL('toy-worker.ts', import.meta.url)));

let running: Promise<LocalRestate> | undefined;

/** One for the test file, started when it is first needed; `stopRestate` ends it. */
function restate(): Promise<LocalRestate> {
  running ??= startRestate();
  return running;
}

async function stopRestate(): Promise<void> {
  await (await running)?.stop();
  running = undefined;
}

export interface EngineWorld extends World {
  readonly restate: LocalRestate;
  /** A worker in the process of the test, which executes toy sagas and any others it is given. */
  serve(...more: readonly Saga<World['app']>[]): Promise<RunningEndpoint>;
  /** A process that executes toy sagas; several share a port, so that any of them may be called. */
  startWorker(env?: Record<string, string>): Promise<ServerProcess>;
}

/**
 * A world whose requests are executed through Restate. It has its own cell, and so its own service.
 */
export async function openEngineWorld(env: Record<string, string> = {}): Promise<EngineWorld> {
  const server = await restate();
  const settings = {
    HOLDFAST_CELL: `t${newId('op', systemClock.now()).slice(-7)}`,
    ...(await engineEnvironment(server)),
    ...env,
  };
  const world = await openWorld({ env: settings });
  await createToyTables(world);
  const { config } = world.app;
  const workers: ServerProcess[] = [];
  return {
    ...world,
    restate: server,
    serve: async (...more) => {
      const endpoint = endpointSettings(config);
      if (endpoint === undefined) throw new Error('this world has a Restate');
      const toys = resourceObject(
        world.worker,
        sagasOf([toySaga(), ...more]),
        config.HOLDFAST_CELL,
      );
      const served = await serveRestate(world.worker, [toys], endpoint);
      await served.registered;
      return served;
    },
    startWorker: async (more = {}) => {
      const workerEnv = {
        NODE_ENV: 'development',
        DATABASE_URL: world.databaseUrl,
        HOLDFAST_DATABASE_ROLE: 'holdfast_worker',
        HOLDFAST_LOG_LEVEL: 'silent',
        ...settings,
        ...more,
      };
      const worker = await startProcess(TOY_WORKER, workerEnv, 'inherit');
      workers.push(worker);
      return worker;
    },
    close: async () => {
      await Promise.all(workers.map((each) => each.kill('SIGKILL')));
      await world.close();
    },
  };
}

/** Its Restate is stopped after the last test, when the world is closed. */
export function useEngineWorld(): WorldWithMarket<EngineWorld> {
  afterAll(stopRestate);
  return useMarketIn(openEngineWorld);
}
