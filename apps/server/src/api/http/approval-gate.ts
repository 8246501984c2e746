//! The approval gate: stores a request that needs a second operator, and executes it once approved.
import { APPROVAL_PENDING_STATUS, type Endpoint } from '@holdfast/contract/endpoint';
import type { Clock } from '@holdfast/kernel/clock';
import type { ApprovalId } from '@holdfast/kernel/ids';
import type { TObject } from 'typebox';
import type { Call, IdempotencyClaim, SignedInActor, Tx } from '../../platform/call.ts';
import { scopeHashOf } from '../../platform/database/idempotency-scope.ts';
import { rulesOf } from './call-rules.ts';
import { requestHashOf } from './idempotency-key.ts';
import { type Meta, metaOf, success } from './respond.ts';
import type { CallerOf, Input, Route, RouteResponse } from './route.ts';

/** The original request, as it was sent. */
export interface RequestInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Executes the request, or stores it for a second operator. */
export type ApprovalGate = <R>(
  endpoint: Endpoint,
  call: Call,
  input: RequestInput,
  run: (call: Call) => Promise<R>,
) => Promise<Gated<R>>;

/** The result of the operation, or the approval that it needs first. */
export type Gated<R> = { readonly result: R } | { readonly pending: unknown };

export const noGate: ApprovalGate = async (_endpoint, call, _input, run) => ({
  result: await run(call),
});

export interface Approved {
  readonly approvalId: ApprovalId;
  readonly endpointId: string;
  /** The requesting operator. Their reason names the approver. */
  readonly actor: SignedInActor;
  readonly requestId: string;
  readonly input: RequestInput;
  /** Runs in the transaction of the action. */
  readonly beforeCommit?: ((tx: Tx) => Promise<void>) | undefined;
}

export type ApprovedAction = (approved: Approved) => Promise<void>;

/** Bound to the approval: a second execution repeats no effect. */
export function approvedActionOf<E extends Endpoint, R>(
  endpoint: E,
  route: Route<E, R>,
  clock: Clock,
): ApprovedAction {
  return async ({ approvalId, actor, requestId, input, beforeCommit }) => {
    const idempotency: IdempotencyClaim = {
      key: approvalId,
      scopeHash: approvalScope(endpoint, approvalId),
      requestHash: requestHashOf(input.body, input.query),
      render: renderer(endpoint, route, () => metaOf(requestId, clock.now())),
      // A refused request had no effect, so it may be tried again.
      renderRefusal: () => undefined,
    };
    const body = withReference(endpoint, input.body, approvalId);
    const sent = { ...input, body, address: '', userAgent: '', cookies: undefined };
    const call = { ...rulesOf(endpoint), actor, requestId, idempotency, beforeCommit };
    await route.run(call as unknown as Call<CallerOf<E>>, sent as Input<E>);
  };
}

/** The idempotency scope of an approval's execution, also for routes without an Idempotency-Key. */
export function approvalScope({ method, path }: Endpoint, approvalId: ApprovalId): string {
  return scopeHashOf(approvalId, method, path, approvalId);
}

/** Keys are purged after a day, references never: an adjustment happens once, at any time. */
function withReference({ body: shape }: Endpoint, body: unknown, reference: ApprovalId): unknown {
  const takesOne = Object.hasOwn((shape as TObject | undefined)?.properties ?? {}, 'reference');
  return takesOne ? { reference, ...(body as object) } : body;
}

/** Builds the whole response to store under an Idempotency-Key. */
export function renderer<E extends Endpoint, R>(
  endpoint: E,
  route: Route<E, R>,
  metaNow: () => Meta,
): IdempotencyClaim['render'] {
  return (result) => {
    const stored = route.storedData?.(result as R);
    const response = route.respond(result as R) as RouteResponse;
    const status = response.status ?? endpoint.success.status;
    return { status, body: JSON.stringify(success(stored ?? response.data, metaNow())) };
  };
}

/** The same call, whose stored response says that an approval was requested. */
export function withApprovalResponse<A extends SignedInActor>(
  call: Call<A>,
  clock: Clock,
  view: (result: unknown) => unknown,
): Call<A> {
  const { idempotency, requestId } = call;
  const render = (result: unknown) => ({
    status: APPROVAL_PENDING_STATUS,
    body: JSON.stringify(success(view(result), metaOf(requestId, clock.now()))),
  });
  return { ...call, idempotency: idempotency && { ...idempotency, render } };
}
