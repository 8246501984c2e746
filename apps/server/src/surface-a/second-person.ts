//! Which requests of operators need a second person: by how much money they decide on.
import type { Endpoint } from '@holdfast/contract/endpoint';
import { BASE_CURRENCY } from '@holdfast/contract/limits';
import { assert } from '@holdfast/kernel/assert';
import type { DisputeId, OrderId, UserId, WithdrawalId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import { createApproval } from '../approvals/create-approval.ts';
import type { Adjustment } from '../books/credit-balance.ts';
import { getBalance } from '../books/get-balance.ts';
import { type AskedInput, type AskSecond, asking } from '../http/second-person.ts';
import { getOrder } from '../orders/get-order.ts';
import { previewResolution } from '../orders/preview-resolution.ts';
import type { Call, OperatorActor } from '../platform/call.ts';
import type { App } from '../wire.ts';
import { getWithdrawal } from '../withdrawals/get-withdrawal.ts';
import { type Approval, approvalView } from './approval.view.ts';

/** Instead of the operation: what is answered while another operator is asked. */
export function askSecond(app: App): AskSecond {
  return (endpoint, { actor, ...call }, input) =>
    endpoint.secondPerson === undefined || actor.kind !== 'operator'
      ? undefined
      : ask(app, endpoint, { ...call, actor }, input);
}

async function ask(app: App, endpoint: Endpoint, call: Call<OperatorActor>, input: AskedInput) {
  const amountOf = AMOUNTS[endpoint.id];
  assert(amountOf !== undefined, `${endpoint.id} says how much money it is about`);
  const amount = await amountOf(app, call, input);
  // What cannot be read is refused by the operation itself.
  if (amount === undefined || !isAsked(app, endpoint, amount)) return undefined;
  const { params, query, body } = input;
  const [resourceId = ''] = Object.values(params as Record<string, string>);
  const wish = { action: endpoint.id, resourceId, amount, request: { params, query, body } };
  const view = (approval: unknown) => approvalView(approval as Approval);
  return approvalView(await createApproval(app, asking(call, app.clock, view), wish));
}

function isAsked({ config }: App, { secondPerson }: Endpoint, { minor }: Money): boolean {
  const { HOLDFAST_APPROVAL_LIMIT: limit } = config;
  return secondPerson === 'always' || (limit !== null && minor > limit);
}

type AmountOf = (app: App, call: Call, input: AskedInput) => Promise<Money | undefined>;

const adjusted: AmountOf = async (app, call, { params, body }) => {
  const { amount, currency = BASE_CURRENCY } = body as Adjustment;
  await getBalance(app, call, (params as { userId: UserId }).userId, currency);
  return Money.read(amount, currency);
};

const ordered: AmountOf = async (app, call, { params }) =>
  (await getOrder(app, call, (params as { orderId: OrderId }).orderId)).amount;

/** What a request that can't be done now is about is never asked: it is refused as it would be. */
const AMOUNTS: Readonly<Record<string, AmountOf>> = {
  creditBalance: adjusted,
  debitBalance: adjusted,
  releaseOrder: ordered,
  refundOrder: ordered,
  resolveDispute: async (app, call, { params, body }) => {
    const wish = body as Parameters<typeof previewResolution>[3];
    const { id } = params as { id: DisputeId };
    return (await previewResolution(app, call, id, wish)).order.amount;
  },
  commitWithdrawal: async (app, call, { params }) =>
    (await getWithdrawal(app, call, (params as { id: WithdrawalId }).id)).amount,
};
