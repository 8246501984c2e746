//! Which requests of operators need a second person: by how much money they decide on.
import type { Endpoint } from '@holdfast/contract/endpoint';
import { BASE_CURRENCY, isAboveLimit } from '@holdfast/contract/limits';
import { assert } from '@holdfast/kernel/assert';
import type { DisputeId, ExceptionId, OrderId, UserId, WithdrawalId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import { createApproval } from '../approvals/create-approval.ts';
import type { Adjustment } from '../books/credit-balance.ts';
import { getBalance } from '../books/get-balance.ts';
import { type AskedInput, type AskSecond, asking } from '../http/second-person.ts';
import { findResolution } from '../orders/preview-resolution.ts';
import { previewSettlement } from '../orders/preview-settlement.ts';
import type { Call, OperatorActor } from '../platform/call.ts';
import { read, transact } from '../platform/transact.ts';
import { checkPosting, findPosting } from '../reconciliation/resolve-exception.ts';
import type { App } from '../wire.ts';
import { checkCommit } from '../withdrawals/commit-withdrawal.ts';
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
  const matterOf = MATTERS[endpoint.id];
  assert(matterOf !== undefined, `${endpoint.id} says how much money it is about`);
  const matter = await matterOf(app, call, input);
  // What cannot be read is refused by the operation itself.
  if (matter === undefined || !isAsked(app, endpoint, matter.amount)) return undefined;
  const view = (approval: unknown) => approvalView(approval as Approval);
  const asked = asking(call, app.clock, view);
  const refused = await matter.check().catch((error: Error) => error);
  // Said only after the key was looked at, as a repeat asks nobody.
  if (refused instanceof Error) return transact(app, asked, () => Promise.reject(refused));
  const { params, query, body } = input;
  const [resourceId = ''] = Object.values(params as Record<string, string>);
  const { amount } = matter;
  const wish = { action: endpoint.id, resourceId, amount, request: { params, query, body } };
  return approvalView(await createApproval(app, asked, wish));
}

function isAsked({ config }: App, { secondPerson }: Endpoint, { minor }: Money): boolean {
  const { HOLDFAST_APPROVAL_LIMIT: limit } = config;
  return secondPerson === 'always' || isAboveLimit(minor, limit);
}

/** What somebody would have to agree to. */
interface Matter {
  readonly amount: Money;
  /** Refuses what can't be done now, as doing it would: nobody is asked about that. */
  readonly check: () => Promise<unknown>;
}

type MatterOf = (app: App, call: Call, input: AskedInput) => Promise<Matter | undefined>;

/** Whether there is enough is for the books to say, when it is done. */
const adjusted: MatterOf = async (app, call, { params, body }) => {
  const { amount: text, currency = BASE_CURRENCY } = body as Adjustment;
  await getBalance(app, call, (params as { userId: UserId }).userId, currency);
  const amount = Money.read(text, currency);
  return amount && { amount, check: async () => undefined };
};

const settled =
  (settlement: 'release' | 'refund'): MatterOf =>
  async (app, call, { params }) => {
    const { orderId } = params as { orderId: OrderId };
    const { amount, check } = await previewSettlement(app, call, orderId, settlement);
    return { amount, check: async () => check() };
  };

const MATTERS: Readonly<Record<string, MatterOf>> = {
  creditBalance: adjusted,
  debitBalance: adjusted,
  releaseOrder: settled('release'),
  refundOrder: settled('refund'),
  resolveDispute: async (app, call, { params, body }) => {
    const wish = body as Parameters<typeof findResolution>[3];
    const { id } = params as { id: DisputeId };
    const { amount, check } = await findResolution(app, call, id, wish);
    return { amount, check: async () => check() };
  },
  commitWithdrawal: async (app, call, { params }) => {
    const withdrawal = await getWithdrawal(app, call, (params as { id: WithdrawalId }).id);
    const check = () => read(app, call, (tx) => checkCommit(tx, withdrawal));
    return { amount: withdrawal.amount, check };
  },
  resolveException: async (app, call, { params, body }) => {
    const { id } = params as { id: ExceptionId };
    const wish = body as Parameters<typeof checkPosting>[3];
    const amount = await findPosting(app, call, id, wish);
    return amount && { amount, check: () => checkPosting(app, call, id, wish) };
  },
};
