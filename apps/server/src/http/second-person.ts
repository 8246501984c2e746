//! What needs a second operator: asking for one instead of doing it, and doing it once one agreed.
import { ASKED_STATUS, type Endpoint } from '@holdfast/contract/endpoint';
import type { Clock } from '@holdfast/kernel/clock';
import type { ApprovalId } from '@holdfast/kernel/ids';
import type { TObject } from 'typebox';
import type { Call, IdempotencyClaim, OperatorActor } from '../platform/call.ts';
import { scopeHashOf } from '../platform/idempotency-scope.ts';
import { requestHashOf } from './idempotency-key.ts';
import { type Meta, metaOf, success } from './respond.ts';
import type { Answer, CallerOf, Input, Route } from './route.ts';

/** What was asked for, as it was sent. */
export interface AskedInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** What to answer instead of doing it; undefined where nobody else needs to agree. */
export type AskSecond = (
  endpoint: Endpoint,
  call: Call,
  input: AskedInput,
) => Promise<unknown> | undefined;

export interface Approved {
  readonly approvalId: ApprovalId;
  readonly endpointId: string;
  /** Who asked. Their reason names who agreed. */
  readonly actor: OperatorActor;
  readonly requestId: string;
  readonly input: AskedInput;
}

export type Carrier = (approved: Approved) => Promise<void>;

/** Bound to the approval: carrying it out again repeats nothing. */
export function carrierOf<E extends Endpoint, R>(
  endpoint: E,
  route: Route<E, R>,
  clock: Clock,
): Carrier {
  return async ({ approvalId, actor, requestId, input }) => {
    const idempotency: IdempotencyClaim = {
      key: approvalId,
      scopeHash: approvalScope(endpoint, approvalId),
      requestHash: requestHashOf(input.body),
      render: renderer(endpoint, route, () => metaOf(requestId, clock.now())),
      // What was refused has done nothing: another try is as good as the first.
      renderRefusal: () => undefined,
    };
    const body = withReference(endpoint, input.body, approvalId);
    const sent = { ...input, body, address: '', userAgent: '' };
    const call = { actor, requestId, idempotency };
    await route.run(call as unknown as Call<CallerOf<E>>, sent as Input<E>);
  };
}

/** What carrying an approval out is known by, also to routes that take no Idempotency-Key. */
export function approvalScope({ method, path }: Endpoint, approvalId: ApprovalId): string {
  return scopeHashOf(approvalId, method, path, approvalId);
}

/** Keys are forgotten after a day, references never: an adjustment is made once, whenever. */
function withReference({ body: shape }: Endpoint, body: unknown, reference: ApprovalId): unknown {
  const takesOne = Object.hasOwn((shape as TObject | undefined)?.properties ?? {}, 'reference');
  return takesOne ? { reference, ...(body as object) } : body;
}

/** The whole answer to keep under an Idempotency-Key. */
export function renderer<E extends Endpoint, R>(
  endpoint: E,
  route: Route<E, R>,
  metaNow: () => Meta,
): IdempotencyClaim['render'] {
  return (result) => {
    const kept = route.keep?.(result as R);
    const answer = route.answer(result as R) as Answer;
    const status = answer.status ?? endpoint.success.status;
    return { status, body: JSON.stringify(success(kept ?? answer.data, metaNow())) };
  };
}

/** The same call, whose kept answer is that another operator was asked. */
export function asking<A extends OperatorActor>(
  call: Call<A>,
  clock: Clock,
  view: (result: unknown) => unknown,
): Call<A> {
  const { idempotency, requestId } = call;
  const render = (result: unknown) => ({
    status: ASKED_STATUS,
    body: JSON.stringify(success(view(result), metaOf(requestId, clock.now()))),
  });
  return { ...call, idempotency: idempotency && { ...idempotency, render } };
}
