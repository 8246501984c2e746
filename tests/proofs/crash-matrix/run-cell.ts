//! Runs one cell: a subject, a reply, a crash; then waits until nothing is in flight and checks.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type ApiRequest, type ApiResponse, call, isGood } from '../../harness/api.ts';
import type { PaymentFault } from '../../harness/payment-proxy.ts';
import { type Cell, cellName, type Result } from './cell.ts';
import { checkEffects, checkEnding, expectedEffects } from './check-result.ts';
import { callWithRetry } from './client.ts';
import { converge, movingText } from './converge.ts';
import { diagnose } from './diagnose.ts';
import type { Environment } from './environment.ts';
import type { Fixture, RequestRow, SagaRow } from './saga-row.ts';
import { letMirrorGoOn } from './user-fixture.ts';

export async function runCell(environment: Environment, cell: Cell): Promise<Result> {
  try {
    const fixture = await cell.saga.prepare(environment, cell.milestones);
    const { apiKey = environment.apiKey } = fixture;
    return await crash({ ...environment, apiKey }, cell, fixture);
  } catch (error) {
    const wrong = [`could not be run: ${(error as Error).message}`];
    return { ...cell, wrong, isMissed: false, ms: 0, response: 'nothing', passed: [] };
  }
}

async function crash(environment: Environment, cell: Cell, fixture: Fixture): Promise<Result> {
  const { saga, crashPoint } = cell;
  const { owner, run } = startOf(environment, saga, fixture);
  const file = `${environment.failpoints}/${owner}`;
  const isLong = cell.fault?.kind === 'late';
  await environment.idleGate.wait(isLong);
  // A job may have passed crash points for the same record before.
  rmSync(`${file}.passed`, { force: true });
  if (crashPoint !== null) writeFileSync(file, crashPoint);
  const isArmed = armFault(environment, cell, owner, fixture);
  const startedAt = performance.now();
  const rest = environment.idleGate.start(isLong);
  const exchanged = await run();
  await letMirrorGoOn(environment, fixture.userIds);
  const isConverged = await converge(environment, cell, fixture);
  rest();
  const ms = performance.now() - startedAt;
  const wrong = isConverged
    ? await checkCell(environment, cell, fixture, exchanged)
    : [`still moving: ${await movingText(environment, cell, fixture)}`];
  if (wrong.length > 0)
    wrong.push(
      `${fixture.subjectId || fixture.userIds[0]}, owner ${owner}`,
      ...(await diagnose(environment, fixture)),
    );
  await saga.finish?.(environment, fixture);
  return {
    ...cell,
    wrong,
    isMissed: (crashPoint !== null && existsSync(file)) || isArmed(),
    ms,
    response: responseText(exchanged),
    passed: existsSync(`${file}.passed`)
      ? readFileSync(`${file}.passed`, 'utf8').trimEnd().split('\n')
      : [],
  };
}

/** The request of a cell and its response. */
interface Exchanged {
  readonly saga: RequestRow;
  readonly request: ApiRequest;
  readonly response: ApiResponse;
}

interface Start {
  /** The owner of the crash points: the request, or the record that a job finds. */
  readonly owner: string;
  /** Undefined where there is no request. */
  readonly run: () => Promise<Exchanged | undefined>;
}

function startOf(environment: Environment, saga: SagaRow, fixture: Fixture): Start {
  if (saga.job !== undefined) {
    const { ownerOf, happen } = saga.job;
    return {
      owner: ownerOf(fixture),
      run: async () => {
        await happen(environment, fixture);
        return undefined;
      },
    };
  }
  const requestId = randomUUID();
  const request = { method: 'POST', ...saga.call(fixture), requestId, key: randomUUID() } as const;
  return {
    owner: requestId,
    run: async () => ({ saga, request, response: await call(environment, request) }),
  };
}

function responseText(exchanged: Exchanged | undefined): string {
  if (exchanged === undefined) return 'without a request';
  const { response } = exchanged;
  return isGood(response) ? 'success' : (response.code ?? String(response.status));
}

/** Returns whether the fault has still not fired. */
function armFault(
  { network, payments }: Environment,
  { saga, fault }: Cell,
  owner: string,
  { subjectId }: Fixture,
): () => boolean {
  if (fault === null) return () => false;
  const { step, kind } = fault;
  const providerCall = saga.providerCalls?.[step];
  if (providerCall === undefined) {
    network.arm(owner, step, kind);
    return () => network.isArmed(owner);
  }
  // No operation works on what is only searched for.
  const searched = providerCall.endsWith('.find') ? subjectId : owner;
  payments.arm(searched, providerCall, kind as PaymentFault);
  return () => payments.isArmed(searched);
}

async function checkCell(
  environment: Environment,
  cell: Cell,
  fixture: Fixture,
  exchanged: Exchanged | undefined,
): Promise<string[]> {
  if (exchanged !== undefined) return checkExchanged(environment, cell, fixture, exchanged);
  return [
    ...(await checkEnding(environment, cell, fixture, cell.saga.done)),
    ...(await checkEffects(environment, cell, fixture, expectedEffects(cell, false))),
  ];
}

async function checkExchanged(
  environment: Environment,
  cell: Cell,
  fixture: Fixture,
  { saga, request, response }: Exchanged,
): Promise<string[]> {
  const { fault } = cell;
  const isRejected = fault?.kind === 'reject' && (await isRefused(environment, request));
  const end = isRejected ? saga.endsRefused?.(fault.step) : undefined;
  const isUndone = cell.isUndone && isRejected;
  const ending = end?.ending ?? (isUndone ? saga.undone : undefined) ?? saga.done;
  if (saga.isRead && response.status === 504) await callWithRetry(environment, request);
  const wrong = [
    ...checkResponse(saga, isUndone, response),
    ...(await checkEnding(environment, cell, fixture, ending)),
  ];
  if (saga.isKeyed || !isUndone)
    wrong.push(...checkRepeat(saga, isUndone, await call(environment, request)));
  if (isUndone) {
    for (const retry of saga.again?.(fixture) ?? [saga.call(fixture)])
      await callWithRetry(environment, retry);
    const isConverged = await converge(environment, cell, fixture);
    if (!isConverged) wrong.push(`still moving: ${await movingText(environment, cell, fixture)}`);
    wrong.push(...(await checkEnding(environment, cell, fixture, saga.done)));
  }
  const effects = end?.effects ?? expectedEffects(cell, isUndone);
  return [...wrong, ...(await checkEffects(environment, cell, fixture, effects))];
}

/** An attempt that crashed before its result was marked is repeated, so check what is stored. */
async function isRefused({ monitor }: Environment, { requestId }: ApiRequest): Promise<boolean> {
  const { rows } = await monitor.query(
    `select from operation where correlation_id = $1 and (status = 'REFUSED'
       or exists (select from operation_step step where step.marketplace_id = operation.marketplace_id
         and step.operation_id = operation.id and step.status = 'REFUSED'))`,
    [requestId],
  );
  return rows.length > 0;
}

/** 504 is always correct: the outcome was not known at that time. */
function checkResponse(saga: SagaRow, isUndone: boolean, response: ApiResponse): string[] {
  const { status, code } = response;
  const isFair = status === 504 || (isUndone ? isRefusal(saga, code) : isGood(response));
  return isFair ? [] : [`the caller received ${status} ${code}`];
}

/** A repeated request changes nothing. With a key, the first response is replayed. */
function checkRepeat(saga: SagaRow, isUndone: boolean, response: ApiResponse): string[] {
  const { status, code, isReplay } = response;
  const isReplayed = isUndone ? isRefusal(saga, code) : isGood(response) && isReplay;
  const isFair = saga.isKeyed ? isReplayed : code === 'INVALID_STATE';
  return isFair ? [] : [`a repeat received ${status} ${code}${isReplay ? ', replayed' : ''}`];
}

function isRefusal({ refusal = 'INTERNAL_ERROR' }: SagaRow, code: string | undefined): boolean {
  return code === refusal;
}

export function wrongText(result: Result): string {
  return [cellName(result), ...result.wrong.map((text) => `    ${text}`)].join('\n');
}
