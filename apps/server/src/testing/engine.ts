//! Ways to drive operations in tests: in the test's own process, or by a real Restate.
import { fileURLToPath } from 'node:url';
import { newId, type OperationId } from '@holdfast/kernel/ids';
import {
  engineEnvironment,
  type LocalRestate,
  startRestate,
} from '../../../cli/src/local-restate.ts';
import { type ServerProcess, startProcess } from '../../../cli/src/server-process.ts';
import { scriptOf } from '../../../cli/src/testing/script.ts';
import { driveOnce } from '../engine/drive.ts';
import { answerOf, type Engine } from '../engine/engine.ts';
import type { Operation } from '../engine/operation.ts';
import {
  endpointSettings,
  type RunningEndpoint,
  resourceObject,
  serveRestate,
} from '../engine/restate-endpoint.ts';
import { type Saga, sagasOf } from '../engine/saga.ts';
import { systemCall } from '../platform/call.ts';
import type { RowNumber } from '../platform/database.ts';
import type { Transactor } from '../platform/transact.ts';
import { makeToyTables, toySaga } from './toy-saga.ts';
import { openWorld, type World } from './world.ts';

/** Without Restate: the same rows and the same sagas, driven where the test can see them. */
export interface DirectEngine extends Engine {
  /**
   * Drives all that is open, without waiting for its time, until it has ended or stays unknown.
   * Answers how many are still open.
   */
  runWorker(): Promise<number>;
}

const ROUNDS_MAX = 10;

/** From here on the world's requests are driven in place, with the parts and sagas of a worker. */
export function driveInPlace<A extends Transactor>(
  world: World,
  worker: A,
  list: readonly Saga<A>[],
): DirectEngine {
  const sagas = sagasOf(list);
  const turn = (marketplace: RowNumber, operationId: OperationId, epoch: number) =>
    driveOnce(worker, sagas, systemCall(marketplace), { operationId, epoch });
  const engine: DirectEngine = {
    checkUp: async () => undefined,
    isUp: async () => true,
    close: async () => undefined,
    send: async () => undefined,
    submit: async ({ marketplace, id, epoch }) => void (await turn(marketplace, id, epoch)),
    drive: async <T>({ marketplace, id, epoch }: Operation) => {
      const answer = await turn(marketplace, id, epoch);
      if (answer.kind === 'overtaken') throw new Error('a test drives an operation once at a time');
      return answerOf<T>(id, answer);
    },
    runWorker: async () => {
      let open = await openOperations(world);
      for (let round = 0; round < ROUNDS_MAX && open.length > 0; round += 1) {
        for (const each of open) await turn(each.marketplace_id, each.id, each.epoch);
        open = await openOperations(world);
      }
      return open.length;
    },
  };
  Object.assign(world.app, { engine });
  return engine;
}

function openOperations(world: World) {
  return world.rows<{ marketplace_id: RowNumber; id: OperationId; epoch: number }>(
    `select o.marketplace_id, o.id, o.epoch from operation_open w
     join operation o on o.marketplace_id = w.marketplace_id and o.id = w.operation_id order by o.id`,
  );
}

const TOY_WORKER = scriptOf(fileURLToPath(new URL('toy-worker.ts', import.meta.url)));

let running: Promise<LocalRestate> | undefined;

/** One for the test file, started when it is first needed; `stopRestate` ends it. */
function restate(): Promise<LocalRestate> {
  running ??= startRestate().then((started) => {
    process.once('exit', () => process.kill(started.pid, 'SIGKILL'));
    return started;
  });
  return running;
}

export async function stopRestate(): Promise<void> {
  await (await running)?.stop();
  running = undefined;
}

export interface EngineWorld extends World {
  readonly restate: LocalRestate;
  /** A worker in the process of the test, which drives toys and what else it is given. */
  serve(...more: readonly Saga<World['app']>[]): Promise<RunningEndpoint>;
  /** A process that drives toys; they share a port, so that any of them may be asked. */
  startWorker(env?: Record<string, string>): Promise<ServerProcess>;
}

/** A world whose requests are driven through Restate. Its cell, and so its service, is its own. */
export async function openEngineWorld(env: Record<string, string> = {}): Promise<EngineWorld> {
  const server = await restate();
  const settings = {
    HOLDFAST_CELL: `t${newId('op').slice(-7)}`,
    ...(await engineEnvironment(server)),
    ...env,
  };
  const world = await openWorld({ env: settings });
  await makeToyTables(world);
  const { config } = world.app;
  const workers: ServerProcess[] = [];
  return {
    ...world,
    restate: server,
    serve: async (...more) => {
      const endpoint = endpointSettings(config);
      if (endpoint === undefined) throw new Error('this world has a Restate');
      const toys = resourceObject(world.app, sagasOf([toySaga(), ...more]), config.HOLDFAST_CELL);
      const served = await serveRestate(world.app, [toys], endpoint);
      await served.registered;
      return served;
    },
    startWorker: async (more = {}) => {
      const workerEnv = {
        NODE_ENV: 'development',
        DATABASE_URL: world.databaseUrl,
        HOLDFAST_DATABASE_ROLE: 'holdfast_app',
        HOLDFAST_MASTER_KEY_HASH: config.HOLDFAST_MASTER_KEY_HASH,
        HOLDFAST_TOKEN_SECRET: config.HOLDFAST_TOKEN_SECRET,
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
