//! Starts sagas, holds them at a step, and checks how they end.
import { randomUUID } from 'node:crypto';
import { type ApiResponse, call, isGood, responseText } from '../../harness/api.ts';
import type { Held } from '../../harness/network.ts';
import { checkEffects, checkEnding, expectedEffects } from '../crash-matrix/check-result.ts';
import type { Fixture, RequestRow } from '../crash-matrix/saga-row.ts';
import { SAGAS } from '../crash-matrix/sagas.ts';
import { letMirrorGoOn } from '../crash-matrix/user-fixture.ts';
import { type OperationState, operationFor, type WorkerEnvironment } from './environment.ts';

/** A saga of the matrix, the step to hold, and what happens to its submission. */
export interface HeldPlan {
  readonly saga: string;
  readonly milestones: number;
  readonly step: string;
  /** Held before or after it takes effect; or its reply is lost, so that it is retried later. */
  readonly way: 'before' | 'after' | 'lost';
}

export interface HeldSaga extends HeldPlan {
  readonly fixture: Fixture;
  readonly requestId: string;
  /** Undefined if the reply is only lost. */
  readonly held: Held | undefined;
  readonly response: Promise<ApiResponse>;
}

/** Starts them one after another; resolves when each has reached the step of its plan. */
export async function startHeld(
  environment: WorkerEnvironment,
  plans: readonly HeldPlan[],
): Promise<HeldSaga[]> {
  const fixtures: Fixture[] = [];
  for (const { saga, milestones } of plans)
    fixtures.push(await prepare(environment, rowOf(saga), milestones));
  const started: HeldSaga[] = [];
  for (const [at, plan] of plans.entries()) {
    const fixture = fixtures[at] as Fixture;
    const requestId = randomUUID();
    const { step, way, saga } = plan;
    const held = way === 'lost' ? undefined : environment.network.hold(requestId, step, way);
    if (way === 'lost') environment.network.arm(requestId, step, 'drop-after');
    const response = call(environment, { method: 'POST', ...rowOf(saga).call(fixture), requestId });
    await Promise.race([held?.arrived ?? response, response]);
    started.push({ ...plan, fixture, requestId, held, response });
  }
  return started;
}

/** The mirror is not held back: it works beside the saga. */
async function prepare(
  environment: WorkerEnvironment,
  saga: RequestRow,
  milestones: number,
): Promise<Fixture> {
  const fixture = await saga.prepare(environment, milestones);
  await letMirrorGoOn(environment, fixture.userIds);
  return fixture;
}

/** Lets all of them pass; true for each whose worker still waited for the reply. */
export async function openAll(started: readonly HeldSaga[]): Promise<boolean[]> {
  const held = started.flatMap((each) => each.held ?? []);
  return Promise.all(held.map((each) => each.open()));
}

/** The faults of the order, its balances, effects and addresses; empty if there are none. */
export async function checkHeld(
  environment: WorkerEnvironment,
  { saga, milestones, fixture, response }: HeldSaga,
): Promise<string[]> {
  const row = rowOf(saga);
  const received = await response;
  const effects = expectedEffects({ saga: row, milestones }, false);
  const isFair = isGood(received) || received.status === 504;
  return [
    ...(isFair ? [] : [`the caller got ${responseText(received)}`]),
    ...(await checkEnding(environment, { saga: row }, fixture, row.done)),
    ...(await checkEffects(environment, { saga: row }, fixture, effects)),
  ].map((text) => `${saga}: ${text}`);
}

export function operationOf(
  environment: WorkerEnvironment,
  { requestId }: HeldSaga,
): Promise<OperationState> {
  return operationFor(environment, requestId);
}

function rowOf(name: string): RequestRow {
  const row = SAGAS.filter((each) => each.job === undefined).find((each) => each.name === name);
  if (row === undefined) throw new Error(`there is no ${name}`);
  return row;
}
