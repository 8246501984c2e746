//! Sends the reserved money into the contract: POST /orders/{id}/escrow/fund.
import { assert } from '@holdfast/kernel/assert';
import { instantText } from '@holdfast/kernel/clock';
import type { OrderId } from '@holdfast/kernel/ids';
import { fundOrderEscrow, unfundOrderEscrow } from '../../accounts/books/order-money.ts';
import { whenWalletFree } from '../../accounts/custody/wallet-lock.ts';
import { executeRequest, type Requester } from '../../engine/execute-request.ts';
import { type Operation, type OperationRefusal, openOperation } from '../../engine/operation.ts';
import { saga } from '../../engine/saga.ts';
import { coverAddress } from '../../payments/mirror/cover-address.ts';
import { markMirrorDue } from '../../payments/mirror/due-user.ts';
import type { Call } from '../../platform/call.ts';
import { emit } from '../../platform/database/outbox.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { FundStep } from '../../providers/escrow/escrow-provider.ts';
import { stroopsOf } from '../../providers/network/stroops.ts';
import { done, type Outcome, type Refused, unknown } from '../../providers/outcome.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { checkFund, deployed } from '../model/checks.ts';
import { moveEscrow } from '../model/escrow.ts';
import { lockOrder, moveOrder } from '../model/order.ts';
import type { OrderRecord } from '../model/order-record.ts';
import { getOrder } from '../order/read-orders.ts';
import { awaitKnown, deployedEscrow, type EscrowRun, orderOf } from './escrow-run.ts';
import { kindOf, type StepTaken, settleStep, takeOverUnrecorded, termsOf } from './escrow-steps.ts';

interface FundPlan {
  readonly orderId: OrderId;
}

export async function fundEscrow(
  app: Requester,
  call: Call,
  orderId: OrderId,
): Promise<OrderRecord> {
  return executeRequest(
    app,
    call,
    (tx) => requestFunding(tx, orderId),
    () => getOrder(app, call, orderId),
  );
}

/** From here on money may be moving: the reservation is consumed before anything is sent. */
export async function requestFunding(tx: Tx, orderId: OrderId): Promise<Operation> {
  const order = await lockOrder(tx, orderId);
  const { amount } = order;
  const escrow = checkFund(order);
  const { id: escrowId, providerContractId } = escrow;
  await moveEscrow(tx, escrow, 'startFunding');
  // The statement that consumes the reservation also checks it. Reading it first would cause
  // serialization conflicts with orders that are funded at the same time.
  await fundOrderEscrow(tx, order);
  await emit(tx, 'escrow.funding_started', escrowId, {
    escrowId,
    orderId,
    providerContractId,
    amount: amount.text,
  });
  await audit(tx, {
    action: 'ESCROW_FUNDING_STARTED',
    resourceId: orderId,
    before: { status: order.status, escrowStatus: escrow.status },
    after: { status: order.status, escrowStatus: 'FUNDING', amount: amount.text },
  });
  const plan: FundPlan = { orderId };
  const kind = 'fund-escrow';
  return openOperation(tx, { kind, resourceType: 'Order', resourceId: orderId, plan });
}

export const fundEscrowSaga = saga('fund-escrow', async (run: EscrowRun, { orderId }: FundPlan) => {
  const order = await orderOf(run, orderId);
  const escrow = deployedEscrow(order);
  await awaitKnown(run, escrow);
  const step: FundStep = {
    step: 'fund',
    kind: kindOf(escrow),
    contractId: escrow.providerContractId,
    signer: escrow.buyerAddress,
    stroops: stroopsOf(escrow.amount),
    terms: termsOf(order, escrow),
  };
  const funded = await run.providerStep(
    'fund',
    { provider: 'escrow_provider', movesMoney: true },
    (purpose) => coverAndFund(run, purpose, step),
  );
  if (funded.kind === 'refused')
    return run.undoOrEscalate(funded, (tx) => fundingRefused(tx, run, orderId, funded));
  return run.lastStep('funded', (tx) => confirmFunded(tx, orderId));
});

/** Under one lock, so that no other step spends the money just sent to the address. */
async function coverAndFund(
  run: EscrowRun,
  purpose: string,
  step: FundStep,
): Promise<Outcome<StepTaken>> {
  const { app, call } = run;
  const funded = await whenWalletFree(
    app.pool,
    [{ address: step.signer }],
    { purpose },
    async () => {
      const isSigned = await takeOverUnrecorded(app, call, purpose, step);
      const covered = isSigned ? done(null) : await cover(run, step);
      return covered.kind === 'done' ? settleStep(app, call, purpose, step) : covered;
    },
  );
  return funded ?? unknown('the wallet is busy');
}

function cover({ app, call, operation }: EscrowRun, { signer: address, stroops }: FundStep) {
  return coverAddress(app, call, operation, { address, asset: 'USDC', stroops });
}

/** Records that the contract holds the money. The first caller to find out writes it. */
export async function confirmFunded(
  tx: Tx,
  orderId: OrderId,
): Promise<{ readonly isConfirmed: true }> {
  const order = await lockOrder(tx, orderId);
  const { escrow: found, amount } = order;
  if (found?.status !== 'FUNDING') return { isConfirmed: true };
  const escrow = deployed(found);
  await moveEscrow(tx, escrow, 'funded');
  const { status } = await moveOrder(tx, order, 'escrowFunded');
  const { id: escrowId, providerContractId } = escrow;
  const fundedAt = instantText(tx.now);
  const payload = { escrowId, orderId, providerContractId, amount: amount.text, fundedAt };
  await emit(tx, 'escrow.funded', escrowId, payload);
  await emit(tx, 'order.escrow_funded', orderId, payload);
  await emit(tx, 'order.in_progress', orderId, { orderId, escrowId });
  await markMirrorDue(tx, order.buyerId);
  await audit(tx, {
    action: 'ESCROW_FUNDED',
    resourceId: orderId,
    before: { status: order.status, escrowStatus: escrow.status },
    after: { status, escrowStatus: 'FUNDED', amount: amount.text },
  });
  return { isConfirmed: true };
}

async function fundingRefused(
  tx: Tx,
  run: EscrowRun,
  orderId: OrderId,
  { code, reason }: Refused,
): Promise<OperationRefusal> {
  const order = await lockOrder(tx, orderId);
  const { escrow, amount } = order;
  assert(escrow !== null, 'an order in flight has its escrow');
  await unfundOrderEscrow(tx, order);
  await moveEscrow(tx, escrow, 'fundingRefused');
  const { status } = await moveOrder(tx, order, 'fundingRefused');
  await markMirrorDue(tx, order.buyerId);
  await audit(tx, {
    action: 'ESCROW_FUNDING_FAILED',
    resourceId: orderId,
    before: { status: order.status, escrowStatus: escrow.status, escrowId: escrow.id },
    after: { status, amount: amount.text, operationId: run.operation.id },
    reason: `${code}: ${reason}`,
    result: 'FAILURE',
  });
  const details = { reason: `${code}: ${reason}`, operationId: run.operation.id };
  return { code: 'ESCROW_FUNDING_FAILED', details };
}
