//! Checks of a contest: of three requests that settle an order at once, one wins.
import { expect, it } from 'vitest';
import type { ApiResponse } from '../../harness/api.ts';
import { checkContest } from './contest.ts';
import type { SeenOrder } from './order.ts';
import { anOrder } from './testing/seen-order.ts';

const response = (
  status: number | undefined,
  code?: string,
  operationId?: string,
): ApiResponse => ({
  ...{ status, code, operationId, reason: undefined, data: undefined, next: null },
  ...{ isNeverSent: false, isReplay: false, bytes: Buffer.alloc(0) },
});
const done = response(200);
const late = response(400, 'INVALID_STATE');
const timeout = response(504, 'PROVIDER_TIMEOUT', 'op_1');
const away = response(503, 'ENGINE_UNAVAILABLE');
const frozen = response(503, 'MARKETPLACE_FROZEN');
const lost = response(undefined);
const disputed = anOrder({ status: 'DISPUTED', closeReason: null });
const atWork = anOrder({ status: 'IN_PROGRESS', closeReason: null });

type Three = [release: ApiResponse, refund: ApiResponse, dispute: ApiResponse];
const checked = ([release, refund, dispute]: Three, order: SeenOrder) =>
  checkContest({ release, refund, dispute }, order);

it.each<[string, Three, SeenOrder]>([
  ['one winner', [done, late, late], anOrder()],
  ['a dispute', [late, response(409, 'DISPUTE_ALREADY_OPEN'), response(201)], disputed],
  ['a winner with a timeout', [timeout, late, late], anOrder()],
  ['a winner whose response was lost', [late, lost, away], anOrder({ closeReason: 'REFUNDED' })],
  ['a dispute, which no stop refuses', [frozen, frozen, response(201)], disputed],
  ['no winner when no request was served', [away, lost, away], atWork],
])('accepts %s', (_, responses, order) => {
  expect(checked(responses, order)).toEqual([]);
});

it.each<[string, Three, SeenOrder]>([
  ['two winners', [done, done, late], anOrder()],
  ['a loser with a success response', [late, done, late], anOrder()],
  ['a winner who was refused', [late, late, late], anOrder()],
  ['a winner that a stop refused', [frozen, late, late], anOrder()],
  ['a winner that was never served', [away, late, late], anOrder()],
  ['no winner although all were served', [late, late, late], atWork],
  ['another error', [done, response(500, 'INTERNAL_ERROR'), late], anOrder()],
])('reports %s', (_, responses, order) => {
  expect(checked(responses, order)).not.toEqual([]);
});
