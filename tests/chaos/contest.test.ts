//! Of three who settle an order at once one wins, and the others are told so.
import { expect, it } from 'vitest';
import type { Answer } from '../harness/api.ts';
import { judgeContest } from './contest.ts';
import type { SeenOrder } from './order.ts';
import { anOrder } from './testing/seen-order.ts';

const answer = (status: number | undefined, code?: string, operationId?: string): Answer => ({
  ...{ status, code, operationId, reason: undefined, data: undefined, next: null },
  ...{ isNeverSent: false, isReplay: false, bytes: Buffer.alloc(0) },
});
const done = answer(200);
const late = answer(400, 'INVALID_STATE');
const timeout = answer(504, 'PROVIDER_TIMEOUT', 'op_1');
const away = answer(503, 'ENGINE_UNAVAILABLE');
const lost = answer(undefined);
const disputed = anOrder({ status: 'DISPUTED', closeReason: null });
const atWork = anOrder({ status: 'IN_PROGRESS', closeReason: null });

type Three = [release: Answer, refund: Answer, dispute: Answer];
const judged = ([release, refund, dispute]: Three, order: SeenOrder) =>
  judgeContest({ release, refund, dispute }, order);

it.each<[string, Three, SeenOrder]>([
  ['one winner', [done, late, late], anOrder()],
  ['a dispute', [late, answer(409, 'DISPUTE_ALREADY_OPEN'), answer(201)], disputed],
  ['a winner who was not told', [timeout, late, late], anOrder()],
  ['a winner whose answer was lost', [late, lost, away], anOrder({ closeReason: 'REFUNDED' })],
  ['nobody, when nobody was served', [away, lost, away], atWork],
])('%s is fair', (_, answers, order) => {
  expect(judged(answers, order)).toEqual([]);
});

it.each<[string, Three, SeenOrder]>([
  ['two winners', [done, done, late], anOrder()],
  ['a loser who was told that he won', [late, done, late], anOrder()],
  ['a winner who was refused', [late, late, late], anOrder()],
  ['a winner of whom nothing was done', [away, late, late], anOrder()],
  ['nobody, though all were heard', [late, late, late], atWork],
  ['another error', [done, answer(500, 'INTERNAL_ERROR'), late], anOrder()],
])('%s is not', (_, answers, order) => {
  expect(judged(answers, order)).not.toEqual([]);
});
