//! Funds an escrow for a project, from nothing to money in the contract: POST /escrow/init.
//!
//! One durable checkout over the operations of orders. The request's transaction creates the order
//! and its reservation; deployment and funding follow, as the same operations that Surface A uses.
//! When a step is refused, the checkout gives the order up and the project is open again. It leaves
//! the order alone when another caller has given it up or moved it on meanwhile.
import { Refusal, refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import type { Instant } from '@holdfast/kernel/clock';
import { type OrderId, readId, type UserId } from '@holdfast/kernel/ids';
import type { Money } from '@holdfast/kernel/money';
import { executeRequest } from '../../engine/execute-request.ts';
import { type Operation, type OperationRefusal, openOperation } from '../../engine/operation.ts';
import { type SagaRun, saga } from '../../engine/saga.ts';
import {
  contractAddressesOf,
  type Roles,
  requestEscrow,
} from '../../orders/escrow/create-escrow.ts';
import { requestFunding } from '../../orders/escrow/fund-escrow.ts';
import type { OrderRecord } from '../../orders/model/order-record.ts';
import { cancelInTransaction } from '../../orders/order/cancel-order.ts';
import { createOrderInTx } from '../../orders/order/create-order.ts';
import { type ParsedOrder, readOrderInput } from '../../orders/order/order-input.ts';
import { getOrder } from '../../orders/order/read-orders.ts';
import { reserveFunds } from '../../orders/order/reserve-order.ts';
import type { Call, MemberActor } from '../../platform/call.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { Refused } from '../../providers/outcome.ts';
import { type CheckoutDeps, requestChild, trackChild, walletsReady } from './child-operation.ts';
import { lockProject, type Project, setProjectOrder } from './project.ts';

export interface FundingInput {
  readonly projectId: string;
  readonly sellerId: string;
  readonly amount: Money;
}

interface CheckoutPlan {
  readonly orderId: OrderId;
  readonly buyerId: UserId;
  readonly sellerId: UserId;
}

export async function fundProject(
  app: CheckoutDeps,
  call: Call<MemberActor>,
  input: FundingInput,
): Promise<OrderRecord> {
  let orderId: OrderId | undefined;
  return executeRequest(
    app,
    call,
    async (tx) => {
      const started = await start(tx, call.actor.id, input);
      orderId = started.orderId;
      return started.operation;
    },
    () => {
      assert(orderId !== undefined, 'a started checkout has an order');
      return getOrder(app, call, orderId);
    },
  );
}

async function start(
  tx: Tx,
  buyerId: UserId,
  input: FundingInput,
): Promise<{ readonly operation: Operation; readonly orderId: OrderId }> {
  const project = await ownProject(tx, buyerId, input.projectId);
  const wanted = orderFor(project, buyerId, input, tx.now);
  const { id: orderId } = await createOrderInTx(tx, wanted);
  await setProjectOrder(tx, project.id, orderId);
  await reserveFunds(tx, orderId);
  const plan: CheckoutPlan = { orderId, buyerId, sellerId: wanted.terms.sellerId };
  const operation = await openOperation(tx, {
    kind: 'checkout-project',
    resourceType: 'Project',
    resourceId: project.id,
    plan,
  });
  return { operation, orderId };
}

async function ownProject(tx: Tx, ownerId: UserId, projectId: string): Promise<Project> {
  const id = readId('prj', projectId);
  const project = id && (await lockProject(tx, id));
  // A project of another member does not exist for the caller.
  if (project?.ownerId !== ownerId) return refuse('PROJECT_NOT_FOUND', { projectId });
  if (project.status !== 'open')
    refuse('INVALID_STATE', {
      resource: 'project',
      id: project.id,
      state: project.status,
      allowed: ['open'],
      reason: `the project is ${project.status}`,
    });
  return project;
}

function orderFor(
  { id, title, description }: Project,
  buyerId: UserId,
  { sellerId, amount }: FundingInput,
  now: Instant,
): ParsedOrder {
  const seller = readId('usr', sellerId) ?? refuse('USER_NOT_FOUND', { userId: sellerId });
  const { currency } = amount;
  const metadata = { projectId: id };
  const terms = { buyerId, sellerId: seller, amount: amount.text, currency, title, metadata };
  return readOrderInput({ ...terms, ...(description === '' ? {} : { description }) }, now);
}

export const checkoutSaga = saga(
  'checkout-project',
  async (run: SagaRun<CheckoutDeps>, { orderId, buyerId, sellerId }: CheckoutPlan) => {
    const parties = { id: orderId, buyerId, sellerId };
    const roles = await run.providerStep('wallets', { provider: 'ledger_network' }, () =>
      walletsReady(run, orderId, () => contractAddressesOf(run.app, run.call, parties)),
    );
    const refused = roles.kind === 'done' ? await deployAndFund(run, orderId, roles.value) : roles;
    if (refused !== undefined)
      return run.undoOrEscalate(refused, (tx) => checkoutRefused(tx, run, orderId, refused));
    return run.lastStep('funded', async () => ({ orderId }));
  },
);

async function deployAndFund(
  run: SagaRun<CheckoutDeps>,
  orderId: OrderId,
  roles: Roles,
): Promise<Refused | undefined> {
  const deployment = await requestChild(run, 'request-escrow', (tx) =>
    requestEscrow(tx, orderId, roles, 'without-accounts'),
  );
  if (deployment.kind === 'refused') return deployment;
  const deployed = await run.providerStep('follow-deployment', { provider: null }, () =>
    trackChild(run, deployment.value, orderId, 'ESCROW_CREATING'),
  );
  if (deployed.kind === 'refused') return deployed;
  const funding = await requestChild(run, 'request-funding', (tx) => requestFunding(tx, orderId));
  if (funding.kind === 'refused') return funding;
  // Money moves in that operation, not in this one. When it is refused, the money is back in the
  // hold.
  const funded = await run.providerStep('follow-funding', { provider: null }, () =>
    trackChild(run, funding.value, orderId, 'ESCROW_FUNDING'),
  );
  return funded.kind === 'refused' ? funded : undefined;
}

/** Ends the checkout, in any state of the order. */
async function checkoutRefused(
  tx: Tx,
  run: SagaRun<CheckoutDeps>,
  orderId: OrderId,
  { code, reason }: Refused,
): Promise<OperationRefusal> {
  const gone = await cancelIfOpen(tx, orderId, `the checkout was refused: ${reason}`);
  if (gone !== undefined) return { code: gone.code, details: { ...gone.details, reason } };
  const details = { reason, operationId: run.operation.id };
  return { code: code === 'ESCROW_FUNDING_FAILED' ? code : 'INTERNAL_ERROR', details };
}

/**
 * Returns the refusal when another caller has given the order up or moved it on: the order and its
 * money are theirs. `cancelInTransaction` has locked the order then, and written nothing.
 */
async function cancelIfOpen(
  tx: Tx,
  orderId: OrderId,
  reason: string,
): Promise<Refusal | undefined> {
  try {
    await cancelInTransaction(tx, orderId, reason);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'INVALID_STATE') return error;
    throw error;
  }
}
