//! Decides which requests of operators need a second approver: by the amount of money, or always.
import type { Endpoint } from '@holdfast/contract/endpoint';
import { Refusal } from '@holdfast/contract/errors';
import { BASE_CURRENCY, isAboveLimit } from '@holdfast/contract/limits';
import type { ApprovalView } from '@holdfast/contract/records/operator-records';
import { assert } from '@holdfast/kernel/assert';
import { instantText } from '@holdfast/kernel/clock';
import type {
  ApiKeyId,
  DisputeId,
  ExceptionId,
  MarketplaceId,
  OrderId,
  UserId,
  WithdrawalId,
} from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import {
  createApproval,
  type Recipient,
  recordDecidedAlone,
} from '../../access/approvals/create-approval.ts';
import { checkNewKey, type NewApiKey } from '../../access/keys/create-api-key.ts';
import { findKeyToRotate, type Rotation } from '../../access/keys/rotate-api-key.ts';
import { findStopToLift, type LiftInput } from '../../access/marketplaces/lift-stop.ts';
import { getTerms } from '../../access/marketplaces/set-terms.ts';
import { checkFreshCode } from '../../access/operators/check-fresh-code.ts';
import type { Adjustment } from '../../accounts/books/credit-balance.ts';
import { getBalance } from '../../accounts/books/get-balance.ts';
import { checkDebt, readWriteOff } from '../../accounts/users/write-off-debt.ts';
import type { App } from '../../app/wire.ts';
import { checkPosting, findPosting } from '../../assurance/reconciliation/resolve-exception.ts';
import { findResolution } from '../../orders/disputes/preview-resolution.ts';
import {
  previewSettlement,
  type SettlementPreview,
} from '../../orders/settlement/preview-settlement.ts';
import { checkCommit } from '../../payments/withdrawals/commit-withdrawal.ts';
import { getWithdrawal } from '../../payments/withdrawals/read-withdrawals.ts';
import type { Call, OperatorActor, PersonActor, SignedInActor } from '../../platform/call.ts';
import { read, type Tx, transact } from '../../platform/database/transact.ts';
import { SecondApproverNeeded } from '../../platform/second-approver.ts';
import {
  type ApprovalGate,
  type Gated,
  type RequestInput,
  withApprovalResponse,
} from '../http/approval-gate.ts';
import { type Approval, approvalView } from './views/approval.view.ts';

export function approvalGate(app: App): ApprovalGate {
  return async (endpoint, { actor, ...call }, input, run) => {
    if (endpoint.secondApprover !== undefined && actor.kind === 'operator')
      return decide(app, endpoint, { ...call, actor }, input, run);
    if (endpoint.secondApprover !== undefined && actor.kind === 'person')
      return decideOnPlatform(app, endpoint, { ...call, actor }, input, run);
    return { result: await run({ ...call, actor }) };
  };
}

/** The operation itself says what needs another platform admin. */
async function decideOnPlatform<R>(
  app: App,
  endpoint: Endpoint,
  call: Call<PersonActor>,
  input: RequestInput,
  run: (call: Call) => Promise<R>,
): Promise<Gated<R>> {
  try {
    return { result: await run(call) };
  } catch (error) {
    if (!(error instanceof SecondApproverNeeded)) throw error;
    const resourceId = resourceOf(input) || endpoint.path;
    const subject = { amount: null, check: async () => undefined, needsProof: true, resourceId };
    return { pending: await requestApproval(app, endpoint, call, input, subject) };
  }
}

async function decide<R>(
  app: App,
  endpoint: Endpoint,
  call: Call<OperatorActor>,
  input: RequestInput,
  run: (call: Call) => Promise<R>,
): Promise<Gated<R>> {
  const subjectOf = SUBJECTS[endpoint.id];
  assert(subjectOf !== undefined, `${endpoint.id} says how much money it is about`);
  const subject = await subjectOf(app, call, input);
  // The operation itself refuses an unreadable amount.
  if (subject === undefined) return { result: await run(call) };
  const { HOLDFAST_APPROVAL_LIMIT: limit } = app.config;
  const { amount, recipients } = subject;
  const isAlone = recipients !== undefined && !isAboveLimit(amount?.minor ?? 0n, limit);
  if (endpoint.secondApprover === 'always' || !isAlone)
    return { pending: await requestApproval(app, endpoint, call, input, subject) };
  const action = endpoint.id;
  const resourceId = resourceOf(input);
  const beforeCommit = (tx: Tx) =>
    recordDecidedAlone(tx, { action, resourceId, recipients: recipients() }, limit);
  try {
    return { result: await run({ ...call, beforeCommit }) };
  } catch (error) {
    if (!needsSecondApprover(error)) throw error;
    return { pending: await requestApproval(app, endpoint, call, input, subject) };
  }
}

/** Two operators may confirm what a payout limit refuses. */
function needsSecondApprover(error: unknown): boolean {
  if (error instanceof SecondApproverNeeded) return true;
  return error instanceof Refusal && ['DESTINATION_COOLING', 'LIMIT_REACHED'].includes(error.code);
}

async function requestApproval(
  app: App,
  endpoint: Endpoint,
  call: Call<SignedInActor>,
  input: RequestInput,
  subject: ApprovalSubject,
): Promise<ApprovalView> {
  const { amount, bound, check, needsProof = false, resourceId = resourceOf(input) } = subject;
  const view = (approval: unknown) => approvalView(approval as Approval);
  const approvalCall = withApprovalResponse(call, app.clock, view);
  const refused = await check().catch((error: Error) => error);
  // Refused only after the key was claimed, as a repeat requests no approval.
  if (refused instanceof Error) return transact(app, approvalCall, () => Promise.reject(refused));
  const { params, query } = input;
  // A code is used up by the request: it is neither stored nor compared.
  const { totp, ...shown } = Object(input.body) as { totp?: string };
  const body = bound ? { ...shown, ...(await bound()) } : input.body && shown;
  const request = { params, query, body };
  const requested = { action: endpoint.id, resourceId, amount, request };
  if (!needsProof) return approvalView(await createApproval(app, approvalCall, requested));
  const beforeCommit = await checkFreshCode(app, call, { totp, action: endpoint.id, request });
  return approvalView(await createApproval(app, { ...approvalCall, beforeCommit }, requested));
}

function resourceOf({ params }: RequestInput): string {
  const [resourceId = ''] = Object.values(params as Record<string, string>);
  return resourceId;
}

/** The subject of an approval. */
interface ApprovalSubject {
  /** Null where the action is about no amount of money. */
  readonly amount: Money | null;
  /** Refuses what the operation itself would refuse now: no approval is requested for that. */
  readonly check: () => Promise<unknown>;
  /** Who receives how much; undefined where a second approver is needed for any amount. */
  readonly recipients?: () => readonly Recipient[];
  /** The request needs a code of the operator. */
  readonly needsProof?: boolean;
  /** Where the path names no resource. */
  readonly resourceId?: string;
  /** Added to the body: what was requested, and nothing that came in its place, is approved. */
  readonly bound?: () => Promise<object>;
}

type SubjectOf = (
  app: App,
  call: Call<OperatorActor>,
  input: RequestInput,
) => Promise<ApprovalSubject | undefined>;

/** The books check the funds when the operation runs. */
const adjusted: SubjectOf = async (app, call, { params, body }) => {
  const { amount: text, currency = BASE_CURRENCY } = body as Adjustment;
  await getBalance(app, call, (params as { userId: UserId }).userId, currency);
  const amount = Money.read(text, currency);
  return amount && { amount, check: async () => undefined };
};

function subjectOfSettlement({ amount, check, recipients }: SettlementPreview): ApprovalSubject {
  return { amount, check: async () => check(), recipients };
}

const settled =
  (settlement: 'release' | 'refund'): SubjectOf =>
  async (app, call, { params }) => {
    const { orderId } = params as { orderId: OrderId };
    return subjectOfSettlement(await previewSettlement(app, call, orderId, settlement));
  };

const SUBJECTS: Readonly<Record<string, SubjectOf>> = {
  createApiKey: async (app, call, { body }) => {
    const check = () => checkNewKey(app, call, body as NewApiKey);
    return { amount: null, check, needsProof: true, resourceId: call.actor.marketplaceId };
  },
  rotateApiKey: async (app, call, { params, body }) => {
    const { id } = params as { id: ApiKeyId };
    const check = () => findKeyToRotate(app, call, id, (body ?? {}) as Rotation);
    return { amount: null, check, needsProof: true };
  },
  creditBalance: adjusted,
  debitBalance: adjusted,
  releaseOrder: settled('release'),
  refundOrder: settled('refund'),
  resolveDispute: async (app, call, { params, body }) => {
    const requested = body as Parameters<typeof findResolution>[3];
    const { id } = params as { id: DisputeId };
    return subjectOfSettlement(await findResolution(app, call, id, requested));
  },
  commitWithdrawal: async (app, call, { params }) => {
    const withdrawal = await getWithdrawal(app, call, (params as { id: WithdrawalId }).id);
    const check = () => read(app, call, (tx) => checkCommit(tx, withdrawal));
    const { userId, amount } = withdrawal;
    return { amount, check, recipients: () => [{ userId, amount }] };
  },
  resolveException: async (app, call, { params, body }) => {
    const { id } = params as { id: ExceptionId };
    const requested = body as Parameters<typeof checkPosting>[3];
    const amount = await findPosting(app, call, id, requested);
    return amount && { amount, check: () => checkPosting(app, call, id, requested) };
  },
  writeOffDebt: async (app, call, { params, body }) => {
    const amount = readWriteOff(body as Parameters<typeof readWriteOff>[0]);
    const { id } = params as { id: UserId };
    return { amount, check: () => read(app, call, (tx) => checkDebt(tx, id, amount)) };
  },
  // Refused only by what approving can not change: the marketplace is the operator's own.
  setTerms: async (app, call, { params }) => {
    const { id } = params as { id: MarketplaceId };
    return { amount: null, check: () => getTerms(app, call, id) };
  },
  liftStop: async (app, call, { params, body }) => {
    const { id } = params as { id: MarketplaceId };
    const requested = body as LiftInput;
    const find = () => read(app, call, (tx) => findStopToLift(tx, id, requested));
    const bound = async () => ({ stoppedAt: instantText((await find()).stoppedAt) });
    return { amount: null, check: find, bound };
  },
};
