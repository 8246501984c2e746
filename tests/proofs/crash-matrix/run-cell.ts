//! Runs one cell: an order, a reply, a crash; then waits until nothing is in flight and checks.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type ApiRequest, type ApiResponse, call, isGood } from '../../harness/api.ts';
import { within } from '../../harness/wait.ts';
import { type Cell, cellName, type Result } from './cell.ts';
import { checkEffects, checkEnding } from './check-result.ts';
import { callWithRetry } from './client.ts';
import { diagnose } from './diagnose.ts';
import type { Environment } from './environment.ts';
import { createOrderFixture, type OrderFixture } from './order-fixture.ts';
import type { Ending, SagaRow } from './sagas.ts';

const CONVERGED_MS_MAX = 60_000;
const POLL_INTERVAL_MS = 100;

export async function runCell(environment: Environment, cell: Cell): Promise<Result> {
  try {
    const { saga, milestones } = cell;
    // Funding covers the buyer's address only if the mirror has not filled it before.
    const onBuyer = (id: string) => holdMirror(environment, id);
    const fixture = await createOrderFixture(
      environment,
      saga.from,
      milestones,
      saga.from === 'deployed' ? onBuyer : undefined,
    );
    return await crash(environment, cell, fixture);
  } catch (error) {
    const wrong = [`could not be run: ${(error as Error).message}`];
    return { ...cell, wrong, isMissed: false, ms: 0, response: 'nothing', passed: [] };
  }
}

/** Delays the mirror for this user, as it delays itself when the network is unreachable. */
async function holdMirror({ monitor }: Environment, userId: string): Promise<void> {
  await monitor.query(
    `insert into mirror_backoff (marketplace_id, user_id, reason, attempts, next_poll_at)
     select marketplace_id, id, 'NETWORK', 1, now() + interval '1 hour' from users where id = $1`,
    [userId],
  );
}

/** Changes nothing where nothing was held. */
async function letMirrorGoOn({ monitor }: Environment, { buyerId }: OrderFixture): Promise<void> {
  await monitor.query('delete from mirror_backoff where user_id = $1', [buyerId]);
}

async function crash(environment: Environment, cell: Cell, fixture: OrderFixture): Promise<Result> {
  const { saga, fault, crashPoint } = cell;
  const requestId = randomUUID();
  const request = { method: 'POST', ...saga.call(fixture), requestId, key: randomUUID() } as const;
  const file = `${environment.failpoints}/${requestId}`;
  await environment.idleGate.wait();
  if (crashPoint !== null) writeFileSync(file, crashPoint);
  if (fault !== null) environment.network.arm(requestId, fault.step, fault.kind);
  const startedAt = performance.now();
  const rest = environment.idleGate.start();
  const response = await call(environment, request);
  await letMirrorGoOn(environment, fixture);
  const isConverged = await converge(environment, fixture);
  rest();
  const ms = performance.now() - startedAt;
  const wrong = isConverged
    ? await checkCell(environment, cell, fixture, request, response)
    : [`still moving: ${await movingText(environment, fixture)}`];
  if (wrong.length > 0)
    wrong.push(
      `${fixture.orderId}, request ${requestId}`,
      ...(await diagnose(environment, fixture)),
    );
  return {
    ...cell,
    wrong,
    isMissed: (crashPoint !== null && existsSync(file)) || environment.network.isArmed(requestId),
    ms,
    response: isGood(response) ? 'success' : (response.code ?? String(response.status)),
    passed: existsSync(`${file}.passed`)
      ? readFileSync(`${file}.passed`, 'utf8').trimEnd().split('\n')
      : [],
  };
}

async function checkCell(
  environment: Environment,
  cell: Cell,
  fixture: OrderFixture,
  request: ApiRequest,
  response: ApiResponse,
): Promise<string[]> {
  const { saga } = cell;
  const isUndone = cell.isUndone && (await isRefused(environment, request));
  const ending: Ending = isUndone ? (saga.undone ?? saga.done) : saga.done;
  const wrong = [
    ...checkResponse(saga, isUndone, response),
    ...(await checkEnding(environment, fixture, ending)),
  ];
  if (saga.isKeyed || !isUndone)
    wrong.push(...checkRepeat(saga, isUndone, await call(environment, request)));
  if (isUndone) {
    for (const retry of saga.again?.(fixture) ?? [saga.call(fixture)])
      await callWithRetry(environment, retry);
    const isConverged = await converge(environment, fixture);
    if (!isConverged) wrong.push(`still moving: ${await movingText(environment, fixture)}`);
    wrong.push(...(await checkEnding(environment, fixture, saga.done)));
  }
  return [...wrong, ...(await checkEffects(environment, cell, fixture, isUndone))];
}

/** An attempt that crashed before its result was marked is repeated, so check the stored status. */
async function isRefused({ monitor }: Environment, { requestId }: ApiRequest): Promise<boolean> {
  const { rows } = await monitor.query(
    `select from operation where correlation_id = $1 and status = 'REFUSED'`,
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

/** No operation of the order, its escrow or its parties is open, and no address is due. */
function converge(environment: Environment, fixture: OrderFixture): Promise<boolean> {
  const isAtRest = async () => (await movingText(environment, fixture)) === '';
  return within(CONVERGED_MS_MAX, isAtRest, POLL_INTERVAL_MS);
}

async function movingText({ monitor }: Environment, fixture: OrderFixture): Promise<string> {
  const { orderId, buyerId, sellerId } = fixture;
  const { rows } = await monitor.query<{ kind: string; status: string; attempts: number }>(
    `select kind, status, attempts from open_operation join operation using (marketplace_id)
     where operation.id = open_operation.operation_id and open_operation.resource_id in
       (select $1 union all select $2 union all select $3
        union all select escrow_id from orders where id = $1 and escrow_id is not null)
     union all select 'mirror', 'DUE', count(*)::int from mirror_queue
     where user_id in ($2, $3) having count(*) > 0
     union all select 'mirror', 'OPEN', count(*)::int from mirror_item
     where user_id in ($2, $3) and status = 'OPEN' having count(*) > 0`,
    [orderId, buyerId, sellerId],
  );
  return rows.map(({ kind, status, attempts }) => `${kind} ${status} (${attempts})`).join(', ');
}

export function wrongText(result: Result): string {
  return [cellName(result), ...result.wrong.map((text) => `    ${text}`)].join('\n');
}
