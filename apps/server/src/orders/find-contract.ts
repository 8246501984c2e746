//! Finds out the id of a contract whose deployment did not tell it: in the background, until the
//! network, the provider or a webhook tells it.
import { assert } from '@holdfast/kernel/assert';
import type { OrderId } from '@holdfast/kernel/ids';
import { audit } from '../audit/audit-entry.ts';
import { findOpenOperation, openOperation } from '../engine/operation.ts';
import { saga } from '../engine/saga.ts';
import { emit } from '../platform/outbox.ts';
import type { Tx } from '../platform/transact.ts';
import { done, type Outcome, unknown } from '../providers/outcome.ts';
import { type Escrow, moveEscrow } from './escrow.ts';
import { type EscrowedOrder, type EscrowRun, orderOf } from './escrow-run.ts';
import { type EscrowWorker, tellProvider } from './escrow-steps.ts';
import { lockOrder, moveOrder } from './order.ts';
import { readOwnContract } from './own-contract.ts';

const KIND = 'find-contract';

/** What our own envelope says: where it was sent from, and which contract it makes. */
export interface Deployment {
  readonly hash: string;
  readonly contractId: string;
}

interface FindPlan extends Deployment {
  readonly orderId: OrderId;
}

/**
 * In the transaction that ends the deployment. The order has no operation any more and stays
 * ESCROW_CREATING; this one stands under its escrow.
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

/** The one contract that is believed to be an escrow's, while its id is not known. */
export async function findAwaited(
  tx: Tx,
  escrow: Pick<Escrow, 'id'>,
): Promise<Deployment | undefined> {
  const operation = await findOpenOperation(tx, escrow.id);
  return operation?.kind === KIND ? (operation.plan as FindPlan) : undefined;
}

export const findContractSaga = saga(KIND, async (run: EscrowRun, plan: FindPlan) => {
  const order = await orderOf(run, plan.orderId);
  const found = await run.provider('look', {}, () => look(run.app, order, plan));
  assert(found.kind === 'done', 'a look at the network is never refused');
  return run.last('deployed', (tx) =>
    confirmDeployed(tx, plan.orderId, plan.contractId, plan.hash),
  );
});

/** Here the deployment has not told its contract once already: whoever can tell will do. */
async function look(
  app: EscrowWorker,
  order: EscrowedOrder,
  deployment: Deployment,
): Promise<Outcome<string>> {
  const told = await toldContract(app, order, deployment);
  if (told.kind !== 'done') return told;
  return told.value === null ? shownContract(app, order, deployment) : done(told.value);
}

/**
 * The contract that a deployment which took effect has made; null when it does not tell. A node
 * keeps that for a day or a week only, and may be away: then the provider's record is as good.
 */
export async function toldContract(
  app: EscrowWorker,
  order: EscrowedOrder,
  deployment: Deployment,
): Promise<Outcome<string | null>> {
  const { status, providerContractId } = order.escrow;
  // A notice was faster: nobody need be asked.
  if (status !== 'CREATING') return done(providerContractId);
  const told = await app.network.createdContract(deployment.hash);
  if (told.kind !== 'done') return shownContract(app, order, deployment);
  const isSigned = told.value === null || told.value === deployment.contractId;
  assert(isSigned, 'a deployment makes the contract that was signed');
  return told;
}

/** Which contract it must be, our own envelope says. */
async function shownContract(
  app: EscrowWorker,
  order: EscrowedOrder,
  { hash, contractId }: Deployment,
): Promise<Outcome<string>> {
  const found = await readOwnContract(app, order, contractId);
  if (found.kind === 'done') return done(contractId);
  if (found.kind === 'nothing') await tellProvider(app, hash);
  return unknown(found.reason);
}

/** The contract's id is known, and it is the one we signed. The first who finds out writes it. */
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
  const told = { escrowId: escrow.id, orderId, amount: amount.text };
  await emit(tx, 'escrow.created', escrow.id, { ...told, currency });
  await emit(tx, 'order.escrow_funding', orderId, { ...told, providerContractId: contractId });
  await audit(tx, {
    action: 'ESCROW_CREATED',
    resourceId: orderId,
    before: { status: order.status, escrowStatus: escrow.status },
    after: { status, escrowStatus: 'CREATED', providerContractId: contractId, deployHash: hash },
  });
  return { isConfirmed: true };
}
