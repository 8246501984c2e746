//! Settles an unrecorded call on a contract: the operation of its order takes it over, or a person
//! has to repeat the request.
import { HOUSE } from '../../accounts/custody/house-wallet.ts';
import { findOpenOperation, type Operation } from '../../engine/operation.ts';
import { claimStep, listSteps } from '../../engine/operation-step.ts';
import { checkOrder } from '../../orders/notifications/apply-escrow-event.ts';
import {
  type FoundOrder,
  findOrderByContract,
} from '../../orders/notifications/find-order-by-contract.ts';
import { type Tx, transact } from '../../platform/database/transact.ts';
import type { ContractCall } from '../../providers/escrow/read-contract-call.ts';
import {
  storeUnrecorded,
  unrecordedDeployment,
  unrecordedFunding,
} from '../../providers/network/envelope.ts';
import type { LedgerNetwork } from '../../providers/network/ledger-network.ts';
import type { NetworkTransaction } from '../../providers/network/network-transaction.ts';
import { stroopsText } from '../../providers/network/stroops.ts';
import {
  publicId,
  type RecoveryRun,
  recoveryCall,
  reportFinding,
  type Unrecorded,
} from './recovery-run.ts';

/** The names of the sagas' steps, by the functions that they call; # is the milestone's number. */
const STEPS: Readonly<Record<string, string>> = {
  fund_escrow: 'fund',
  change_milestone_status: 'complete-#',
  approve_milestone: 'approve-#',
  release_funds: 'release',
  release_milestone_funds: 'release-#',
  dispute_escrow: 'dispute',
  dispute_milestone: 'dispute-#',
  resolve_dispute: 'resolve',
  resolve_milestone_dispute: 'resolve-#',
};

const MOVES_MONEY = /^(fund|release|resolve)/;

/** Operations that pay nothing out of a contract. */
const BEFORE_SETTLEMENT: ReadonlySet<string> = new Set(['create-escrow', 'fund-escrow']);

export async function settleCall(
  run: RecoveryRun,
  network: LedgerNetwork,
  unrecorded: Unrecorded,
  call: ContractCall,
): Promise<void> {
  const { contractId } = call;
  const order = (await findOrderByContract(run.app.pool, call)) ?? run.orders.get(contractId);
  if (order !== undefined) run.orders.set(contractId, order);
  const isTaken = order !== undefined && (await takeOver(run, unrecorded, call, order));
  if (isTaken) return confirm(run, network, order);
  // What moved no money is done again, or found done by the next operation of the order.
  if (unrecorded.transfers.length > 0) await report(run, unrecorded, call, order);
  if (order !== undefined) await storeForLater(run, unrecorded, call, order);
}

const stepOf = ({ isDeployment, functionName }: ContractCall) =>
  isDeployment ? 'deploy' : STEPS[functionName];

/** Last, since it is not found again. The next operation of its kind takes it over. */
async function storeForLater(
  { app }: RecoveryRun,
  { networkTx }: Unrecorded,
  call: ContractCall,
  { marketplace, orderId }: FoundOrder,
): Promise<void> {
  const later = {
    deploy: unrecordedDeployment(orderId),
    fund: unrecordedFunding(call.contractId),
  }[stepOf(call) ?? ''];
  if (later !== undefined)
    await transact(app, recoveryCall(marketplace), (tx) => storeUnrecorded(tx, later, networkTx));
}

/** Stored under the purpose of the step that the order's operation would take next. */
function takeOver(
  { app }: RecoveryRun,
  { networkTx }: Unrecorded,
  call: ContractCall,
  { marketplace, orderId }: FoundOrder,
): Promise<boolean> {
  const name = stepOf(call);
  if (name === undefined) return Promise.resolve(false);
  return transact(app, recoveryCall(marketplace), async (tx) => {
    const operation = await findOpenOperation(tx, orderId);
    const kind = { deploy: 'create-escrow', fund: 'fund-escrow' }[name];
    if (operation === undefined || (kind !== undefined && operation.kind !== kind)) return false;
    if (kind === undefined && BEFORE_SETTLEMENT.has(operation.kind)) return false;
    const step = name.replace('#', String((call.index ?? 0n) + 1n));
    return storeStep(tx, operation, step, networkTx);
  });
}

/** As the operation itself would have left it before it learned the result. */
async function storeStep(
  tx: Tx,
  { id, kind, epoch }: Operation,
  name: string,
  networkTx: NetworkTransaction,
): Promise<boolean> {
  const purpose = `${kind}:${name}:${id}`;
  if (!(await storeUnrecorded(tx, purpose, networkTx))) return false;
  const steps = await listSteps(tx, id);
  if (steps.some((step) => step.name === name)) return true;
  const call = { provider: 'escrow_provider', movesMoney: MOVES_MONEY.test(name) } as const;
  await claimStep(tx, { operationId: id, epoch, attempt: 0 }, name, purpose, call);
  return true;
}

/** Records what the network shows by now, as a notification of the escrow provider would. */
async function confirm(
  { app }: RecoveryRun,
  network: LedgerNetwork,
  { marketplace, orderId }: FoundOrder,
): Promise<void> {
  const { escrows } = app;
  if (escrows === undefined) return;
  const { contractIdOf } = await import('../../providers/signing/transaction-policy.ts');
  const signer = { contractIdOf: (xdr: string) => contractIdOf(xdr, network.passphrase) };
  // Where the network shows nothing yet, the operation itself continues after the opening.
  await checkOrder({ ...app, network, escrows, signer }, recoveryCall(marketplace), orderId);
}

async function report(
  run: RecoveryRun,
  { networkTx, transfers }: Unrecorded,
  { contractId, functionName }: ContractCall,
  order: FoundOrder | undefined,
): Promise<void> {
  const [moved] = transfers;
  const marketplaceId = order === undefined ? null : await publicId(run, order.marketplace);
  const detail =
    order === undefined
      ? `${functionName} on contract ${contractId}, which belongs to no order here`
      : `${functionName} on contract ${contractId}; its request has to be repeated`;
  await transact(run.app, recoveryCall(HOUSE), (tx) =>
    reportFinding(run, tx, {
      kind: order === undefined ? 'UNRECORDED_ESCROW' : 'UNRECORDED_STEP',
      reference: networkTx.hash,
      marketplaceId,
      resourceId: order?.orderId ?? null,
      amount: moved === undefined ? null : stroopsText(moved.stroops),
      currency: moved?.asset ?? null,
      detail,
    }),
  );
}
