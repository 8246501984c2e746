//! Sagas that are begun and held in the middle, and what must have become of them in the end.
import { randomUUID } from 'node:crypto';
import { type Deal, makeDeal } from '../crash-matrix/deal.ts';
import { judgeEffects, judgeEnding } from '../crash-matrix/judge.ts';
import { SAGAS, type SagaRow } from '../crash-matrix/sagas.ts';
import { type Answer, answerText, ask, isGood } from '../harness/api.ts';
import type { Held } from '../harness/network.ts';
import { type Driven, drivenFor, type WorkerStage } from './stage.ts';

/** Which saga of the matrix, at which step, and what is done to its submission. */
export interface HeldPlan {
  readonly saga: string;
  readonly milestones: number;
  readonly step: string;
  /** Held before it takes effect or after; or never answered, so that it is tried again later. */
  readonly way: 'before' | 'after' | 'lost';
}

export interface HeldSaga extends HeldPlan {
  readonly deal: Deal;
  readonly requestId: string;
  /** Undefined for one that is not held, only lost. */
  readonly held: Held | undefined;
  readonly answer: Promise<Answer>;
}

/** Begun one after the other; each stands where its plan says when this resolves. */
export async function beginHeld(
  stage: WorkerStage,
  plans: readonly HeldPlan[],
): Promise<HeldSaga[]> {
  const deals: Deal[] = [];
  for (const { saga, milestones } of plans)
    deals.push(await makeDeal(stage, rowOf(saga).from, milestones));
  const begun: HeldSaga[] = [];
  for (const [at, plan] of plans.entries()) {
    const deal = deals[at] as Deal;
    const requestId = randomUUID();
    const { step, way, saga } = plan;
    const held = way === 'lost' ? undefined : stage.network.hold(requestId, step, way);
    if (way === 'lost') stage.network.arm(requestId, step, 'drop-after');
    const answer = ask(stage, { method: 'POST', ...rowOf(saga).call(deal), requestId });
    await Promise.race([held?.arrived ?? answer, answer]);
    begun.push({ ...plan, deal, requestId, held, answer });
  }
  return begun;
}

/** Lets all of them pass; true for each that was still there to be answered. */
export async function openAll(begun: readonly HeldSaga[]): Promise<boolean[]> {
  const held = begun.flatMap((each) => each.held ?? []);
  return Promise.all(held.map((each) => each.open()));
}

/** What is not as it must be: order, balances, effects, addresses; empty when all is. */
export async function judge(
  stage: WorkerStage,
  { saga, milestones, deal, answer }: HeldSaga,
): Promise<string[]> {
  const row = rowOf(saga);
  const told = await answer;
  const isFair = isGood(told) || told.status === 504;
  return [
    ...(isFair ? [] : [`the caller was told ${answerText(told)}`]),
    ...(await judgeEnding(stage, deal, row.done)),
    ...(await judgeEffects(stage, { saga: row, milestones }, deal, false)),
  ].map((text) => `${saga}: ${text}`);
}

export function driven(stage: WorkerStage, { requestId }: HeldSaga): Promise<Driven> {
  return drivenFor(stage, requestId);
}

function rowOf(name: string): SagaRow {
  const row = SAGAS.find((each) => each.name === name);
  if (row === undefined) throw new Error(`there is no ${name}`);
  return row;
}
