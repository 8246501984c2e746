//! Deploys the contract of an order whose funds are reserved: POST /orders/{id}/escrow.
import { refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import { newId, type OrderId } from '@holdfast/kernel/ids';
import { type HouseAddress, listHouseAddresses } from '../../accounts/custody/house-wallet.ts';
import { pickFor } from '../../accounts/custody/pick-for.ts';
import { getReadyWallet, type WalletReader } from '../../accounts/users/read-wallets.ts';
import { executeRequest, type Requester } from '../../engine/execute-request.ts';
import { type Operation, openOperation } from '../../engine/operation.ts';
import { saga } from '../../engine/saga.ts';
import type { Call } from '../../platform/call.ts';
import { emit } from '../../platform/database/outbox.ts';
import { read, type Tx } from '../../platform/database/transact.ts';
import type { Refused } from '../../providers/outcome.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { checkCreateEscrow, type NeedsAccounts } from '../model/checks.ts';
import { type EscrowDeployment, insertEscrow, moveEscrow } from '../model/escrow.ts';
import { findOrder, lockOrder, moveOrder, type Order } from '../model/order.ts';
import type { OrderRecord } from '../model/order-record.ts';
import { findParties } from '../model/parties.ts';
import { getOrder } from '../order/read-orders.ts';
import { type EscrowRun, internalError, orderOf } from './escrow-run.ts';
import { takeStep, termsOf } from './escrow-steps.ts';
import { awaitContract, confirmDeployed, findCreatedContract } from './find-contract.ts';

interface CreatePlan {
  readonly orderId: OrderId;
}

export type Roles = Pick<
  EscrowDeployment,
  'buyerAddress' | 'sellerAddress' | 'platformAddress' | 'resolverAddress'
>;

export async function createEscrow(
  app: Requester & WalletReader,
  call: Call,
  orderId: OrderId,
): Promise<OrderRecord> {
  await app.engine.checkUp();
  // Checked first, so that a request that will be refused does not wait for wallets.
  const order = await read(app, call, async (tx) => {
    const found = (await findOrder(tx, orderId)) ?? refuse('ORDER_NOT_FOUND', { orderId });
    await check(tx, found);
    return found;
  });
  const roles = await contractAddressesOf(app, call, order);
  return executeRequest(
    app,
    call,
    (tx) => requestEscrow(tx, orderId, roles),
    () => getOrder(app, call, orderId),
  );
}

async function check(tx: Tx, order: Order, accounts?: NeedsAccounts): Promise<void> {
  const { buyerId, sellerId } = order;
  const parties = await findParties(tx, [buyerId, sellerId]);
  const buyer = parties.get(buyerId);
  const seller = parties.get(sellerId);
  assert(buyer !== undefined && seller !== undefined, 'the parties of an order are users');
  checkCreateEscrow(order, { buyer, seller }, accounts);
}

/** Everyone in the contract has an address by now. */
export async function contractAddressesOf(
  app: WalletReader,
  call: Call,
  order: Pick<Order, 'id' | 'buyerId' | 'sellerId'>,
): Promise<Roles> {
  const { address: buyerAddress } = await getReadyWallet(app, call, order.buyerId);
  const { address: sellerAddress } = await getReadyWallet(app, call, order.sellerId);
  const house = (await listHouseAddresses(app.pool)).filter(({ trustedAt }) => trustedAt !== null);
  const ofKind = (wanted: HouseAddress['kind']) => house.filter(({ kind }) => kind === wanted);
  const [platform] = ofKind('platform');
  const resolver = pickFor(order.id, ofKind('resolver'));
  if (platform === undefined || resolver === undefined)
    return refuse('SERVICE_UNAVAILABLE', {
      reason: 'the platform wallets are not ready',
      retryAfter: 2,
    });
  return {
    buyerAddress,
    sellerAddress,
    platformAddress: platform.address,
    resolverAddress: resolver.address,
  };
}

export async function requestEscrow(
  tx: Tx,
  orderId: OrderId,
  roles: Roles,
  accounts?: NeedsAccounts,
): Promise<Operation> {
  const order = await lockOrder(tx, orderId);
  await check(tx, order, accounts);
  const { amount, feeRate, milestones } = order;
  const escrowId = newId('esc', tx.now);
  const { status } = await moveOrder(tx, order, 'openEscrow', { escrowId });
  // Decided once: every later call reads it from the escrow.
  const contractType = milestones.length > 1 ? 'MULTI_RELEASE' : 'SINGLE_RELEASE';
  await insertEscrow(tx, { id: escrowId, orderId, contractType, amount, feeRate, ...roles });
  await emit(tx, 'order.escrow_creating', orderId, { orderId, escrowId, amount: amount.text });
  await audit(tx, {
    action: 'ESCROW_CREATE_REQUESTED',
    resourceId: orderId,
    before: { status: order.status },
    after: { status, escrowId, contractType, amount: amount.text },
  });
  const plan: CreatePlan = { orderId };
  const kind = 'create-escrow';
  return openOperation(tx, { kind, resourceType: 'Order', resourceId: orderId, plan });
}

export const createEscrowSaga = saga('create-escrow', async (run: EscrowRun, plan: CreatePlan) => {
  const { orderId } = plan;
  const order = await orderOf(run, orderId);
  const terms = termsOf(order, order.escrow);
  const signer = order.escrow.buyerAddress;
  const deployed = await run.providerStep('deploy', { provider: 'escrow_provider' }, (purpose) =>
    takeStep(run.app, run.call, purpose, { step: 'deploy', signer, terms }),
  );
  if (deployed.kind === 'refused')
    return run.undoOrEscalate(deployed, (tx) => deployRefused(tx, run, orderId, deployed));
  const { hash, contractId } = deployed.value;
  assert(contractId !== undefined, 'a deployment names its contract');
  const found = await run.providerStep('contract', { provider: 'ledger_network' }, () =>
    findCreatedContract(run.app, order, { hash, contractId }),
  );
  assert(found.kind === 'done', 'a read of the network is never refused');
  if (found.value === null) {
    // Done for the caller; the order moves on when the contract's id is known.
    return run.lastStep('await', (tx) => awaitContract(tx, orderId, { hash, contractId }));
  }
  assert(found.value === contractId, 'a deployment makes the contract that was signed');
  return run.lastStep('deployed', (tx) => confirmDeployed(tx, orderId, contractId, hash));
});

async function deployRefused(tx: Tx, run: EscrowRun, orderId: OrderId, refused: Refused) {
  const order = await lockOrder(tx, orderId);
  assert(order.escrow !== null, 'an order in flight has its escrow');
  await moveEscrow(tx, order.escrow, 'deployRefused');
  const { status } = await moveOrder(tx, order, 'escrowRefused');
  await audit(tx, {
    action: 'ESCROW_CREATE_FAILED',
    resourceId: orderId,
    before: { status: order.status, escrowId: order.escrow.id },
    after: { status, operationId: run.operation.id },
    reason: `${refused.code}: ${refused.reason}`,
    result: 'FAILURE',
  });
  return internalError(run, refused);
}
