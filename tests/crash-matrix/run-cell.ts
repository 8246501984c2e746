//! Runs one cell: an order, an answer, a death; then waits until nothing moves and judges.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Answer, type Asked, ask, isGood } from '../harness/api.ts';
import { within } from '../harness/wait.ts';
import { type Cell, cellName, type Result } from './cell.ts';
import { insist } from './client.ts';
import { type Deal, makeDeal } from './deal.ts';
import { diagnose } from './diagnose.ts';
import { judgeEffects, judgeEnding } from './judge.ts';
import type { Ending, SagaRow } from './sagas.ts';
import type { Stage } from './stage.ts';

const CONVERGED_MS_MAX = 60_000;
const LOOK_EVERY_MS = 100;

export async function runCell(stage: Stage, cell: Cell): Promise<Result> {
  try {
    const { saga, milestones } = cell;
    // Funding covers the buyer's address only where the mirror has not been there before.
    const onBuyer = (id: string) => holdMirror(stage, id);
    const deal = await makeDeal(
      stage,
      saga.from,
      milestones,
      saga.from === 'deployed' ? onBuyer : undefined,
    );
    return await strike(stage, cell, deal);
  } catch (error) {
    const wrong = [`could not be run: ${(error as Error).message}`];
    return { ...cell, wrong, isMissed: false, ms: 0, told: 'nothing', passed: [] };
  }
}

/** The mirror waits for this user, as it does for a network that does not answer. */
async function holdMirror({ monitor }: Stage, userId: string): Promise<void> {
  await monitor.query(
    `insert into mirror_wait (marketplace_id, user_id, reason, attempts, next_look_at)
     select marketplace_id, id, 'NETWORK', 1, now() + interval '1 hour' from users where id = $1`,
    [userId],
  );
}

/** Changes nothing where nothing was held. */
async function letMirrorGoOn({ monitor }: Stage, { buyerId }: Deal): Promise<void> {
  await monitor.query('delete from mirror_wait where user_id = $1', [buyerId]);
}

async function strike(stage: Stage, cell: Cell, deal: Deal): Promise<Result> {
  const { saga, fault, place } = cell;
  const requestId = randomUUID();
  const request = { method: 'POST', ...saga.call(deal), requestId, key: randomUUID() } as const;
  const file = `${stage.failpoints}/${requestId}`;
  await stage.calm.wait();
  if (place !== null) writeFileSync(file, place);
  if (fault !== null) stage.network.arm(requestId, fault.step, fault.kind);
  const begunAt = performance.now();
  const rest = stage.calm.begin();
  const answer = await ask(stage, request);
  await letMirrorGoOn(stage, deal);
  const isConverged = await converge(stage, deal);
  rest();
  const ms = performance.now() - begunAt;
  const wrong = isConverged
    ? await judge(stage, cell, deal, request, answer)
    : [`still moving: ${await movingText(stage, deal)}`];
  if (wrong.length > 0)
    wrong.push(`${deal.orderId}, request ${requestId}`, ...(await diagnose(stage, deal)));
  return {
    ...cell,
    wrong,
    isMissed: (place !== null && existsSync(file)) || stage.network.isArmed(requestId),
    ms,
    told: isGood(answer) ? 'success' : (answer.code ?? String(answer.status)),
    passed: existsSync(`${file}.passed`)
      ? readFileSync(`${file}.passed`, 'utf8').trimEnd().split('\n')
      : [],
  };
}

async function judge(
  stage: Stage,
  cell: Cell,
  deal: Deal,
  request: Asked,
  answer: Answer,
): Promise<string[]> {
  const { saga } = cell;
  const isUndone = cell.isUndone && (await isRefused(stage, request));
  const ending: Ending = isUndone ? (saga.undone ?? saga.done) : saga.done;
  const wrong = [
    ...judgeAnswer(saga, isUndone, answer),
    ...(await judgeEnding(stage, deal, ending)),
  ];
  if (saga.isKeyed || !isUndone)
    wrong.push(...judgeRepeat(saga, isUndone, await ask(stage, request)));
  if (isUndone) {
    for (const asked of saga.again?.(deal) ?? [saga.call(deal)]) await insist(stage, asked);
    const isConverged = await converge(stage, deal);
    if (!isConverged) wrong.push(`still moving: ${await movingText(stage, deal)}`);
    wrong.push(...(await judgeEnding(stage, deal, saga.done)));
  }
  return [...wrong, ...(await judgeEffects(stage, cell, deal, isUndone))];
}

/** One that died with its worker before it was marked is a try that failed: another is made. */
async function isRefused({ monitor }: Stage, { requestId }: Asked): Promise<boolean> {
  const { rows } = await monitor.query(
    `select from operation where correlation_id = $1 and status = 'REFUSED'`,
    [requestId],
  );
  return rows.length > 0;
}

/** Whoever is told 504 is told the truth: the outcome was not known then. */
function judgeAnswer(saga: SagaRow, isUndone: boolean, answer: Answer): string[] {
  const { status, code } = answer;
  const isFair = status === 504 || (isUndone ? isRefusal(saga, code) : isGood(answer));
  return isFair ? [] : [`the caller was told ${status} ${code}`];
}

/** Asked again afterwards: nothing is done twice. Under a key the first answer comes back. */
function judgeRepeat(saga: SagaRow, isUndone: boolean, answer: Answer): string[] {
  const { status, code, isReplay } = answer;
  const isReplayed = isUndone ? isRefusal(saga, code) : isGood(answer) && isReplay;
  const isFair = saga.isKeyed ? isReplayed : code === 'INVALID_STATE';
  return isFair ? [] : [`a repeat was told ${status} ${code}${isReplay ? ', replayed' : ''}`];
}

function isRefusal({ refusal = 'INTERNAL_ERROR' }: SagaRow, code: string | undefined): boolean {
  return code === refusal;
}

/** Nothing of the order, its escrow or its parties is being driven, and no address is due. */
function converge(stage: Stage, deal: Deal): Promise<boolean> {
  const isAtRest = async () => (await movingText(stage, deal)) === '';
  return within(CONVERGED_MS_MAX, isAtRest, LOOK_EVERY_MS);
}

async function movingText({ monitor }: Stage, deal: Deal): Promise<string> {
  const { orderId, buyerId, sellerId } = deal;
  const { rows } = await monitor.query<{ kind: string; status: string; attempts: number }>(
    `select kind, status, attempts from operation_open join operation using (marketplace_id)
     where operation.id = operation_open.operation_id and operation_open.resource_id in
       (select $1 union all select $2 union all select $3
        union all select escrow_id from orders where id = $1 and escrow_id is not null)
     union all select 'mirror', 'DUE', count(*)::int from mirror_due
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
