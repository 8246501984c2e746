//! Finds the id of a contract whose deployment did not return it: in the background, from the
//! network, the provider or a webhook.
import { assert } from '@holdfast/kernel/assert';
import type { OrderId } from '@holdfast/kernel/ids';
import { findOpenOperation, openOperation } from '../../engine/operation.ts';
import { saga } from '../../engine/saga.ts';
import { emit } from '../../platform/database/outbox.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { done, type Outcome, unknown } from '../../providers/outcome.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { type Escrow, moveEscrow } from '../model/escrow.ts';
import { lockOrder, moveOrder } from '../model/order.ts';
import { type EscrowedOrder, type EscrowRun, orderOf } from './escrow-run.ts';
import { type EscrowWorker, notifyProvider } from './escrow-steps.ts';
import { readOwnContract } from './own-contract.ts';

const KIND = 'find-contract';

/** From our own envelope: the sending address, and the contract that it creates. */
export interface Deployment {
  readonly hash: string;
  readonly contractId: string;
}

interface FindPlan extends Deployment {
  readonly orderId: OrderId;
}

/**
 * Runs in the transaction that ends the deployment. The order has no operation any more and stays
 * ESCROW_CREATING; this operation belongs to its escrow.
 */
export async function awaitContract(
  tx: Tx,
  orderId: OrderId,
  deployment: Deployment,
): Promise<{ readonly isConfirmed: boolean }> {
  const { escrow } = await lockOrder(tx, orderId);
  assert(escrow !== null, 'an order in flight has its escrow');
  if (escrow.status !== 'CREATING') return { isConfirmed: true };
  const plan: FindPlan = { orderId, ...deployment };
  await openOperation(tx, { kind: KIND, resourceType: 'Escrow', resourceId: escrow.id, plan });
  return { isConfirmed: false };
}

/** The expected contract of an escrow whose contract id is not confirmed yet. */
export async function findAwaited(
  tx: Tx,
  escrow: Pick<Escrow, 'id'>,
): Promise<Deployment | undefined> {
  const operation = await findOpenOperation(tx, escrow.id);
  return operation?.kind === KIND ? (operation.plan as FindPlan) : undefined;
}

export const findContractSaga = saga(KIND, async (run: EscrowRun, plan: FindPlan) => {
  const order = await orderOf(run, plan.orderId);
  const found = await run.providerStep('fetch', { provider: 'ledger_network' }, () =>
    checkContract(run.app, order, plan),
  );
  assert(found.kind === 'done', 'a read of the network is never refused');
  return run.lastStep('deployed', (tx) =>
    confirmDeployed(tx, plan.orderId, plan.contractId, plan.hash),
  );
});

/**
 * The deployment did not return its contract, so either source will do: the network or the
 * provider.
 */
async function checkContract(
  app: EscrowWorker,
  order: EscrowedOrder,
  deployment: Deployment,
): Promise<Outcome<string>> {
  const known = await findCreatedContract(app, order, deployment);
  if (known.kind !== 'done') return known;
  return known.value === null ? findProviderContract(app, order, deployment) : done(known.value);
}

/**
 * The contract that a completed deployment created; null when the network does not return it. A
 * node stores that for a day or a week only, and may be unavailable. The provider's record is then
 * as good.
 */
export async function findCreatedContract(
  app: EscrowWorker,
  order: EscrowedOrder,
  deployment: Deployment,
): Promise<Outcome<string | null>> {
  const { status, providerContractId } = order.escrow;
  // A notification was faster: no lookup is needed.
  if (status !== 'CREATING') return done(providerContractId);
  const known = await app.network.createdContract(deployment.hash);
  if (known.kind !== 'done') return findProviderContract(app, order, deployment);
  const isSigned = known.value === null || known.value === deployment.contractId;
  assert(isSigned, 'a deployment makes the contract that was signed');
  return known;
}

/** Our own envelope determines which contract it must be. */
async function findProviderContract(
  app: EscrowWorker,
  order: EscrowedOrder,
  { hash, contractId }: Deployment,
): Promise<Outcome<string>> {
  const found = await readOwnContract(app, order, contractId);
  if (found.kind === 'done') return done(contractId);
  if (found.kind === 'nothing') await notifyProvider(app, hash);
  return unknown(found.reason);
}

/**
 * Records the contract's id, which must be the one we signed. The first caller to find it writes
 * it.
 */
export async function confirmDeployed(
  tx: Tx,
  orderId: OrderId,
  contractId: string,
  hash: string,
): Promise<{ readonly isConfirmed: boolean }> {
  const order = await lockOrder(tx, orderId);
  const { escrow, amount, currency } = order;
  if (escrow?.status !== 'CREATING') return { isConfirmed: true };
  await moveEscrow(tx, escrow, 'deployed', { deployHash: hash, providerContractId: contractId });
  const { status } = await moveOrder(tx, order, 'escrowOpened');
  const known = { escrowId: escrow.id, orderId, amount: amount.text };
  await emit(tx, 'escrow.created', escrow.id, { ...known, currency });
  await emit(tx, 'order.escrow_funding', orderId, { ...known, providerContractId: contractId });
  await audit(tx, {
    action: 'ESCROW_CREATED',
    resourceId: orderId,
    before: { status: order.status, escrowStatus: escrow.status },
    after: { status, escrowStatus: 'CREATED', providerContractId: contractId, deployHash: hash },
  });
  return { isConfirmed: true };
}
