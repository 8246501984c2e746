//! Finds what the network confirms about an order in progress, and records it.
//!
//! The sender of a notification is not trusted. Proof is an envelope that an operation of ours
//! signed and stored, and that the network applied. The signer has decoded it, so contract, asset,
//! direction and amount are the intended ones. The provider's record of the contract has to agree.
import type { OrderId } from '@holdfast/kernel/ids';
import type { Engine } from '../../engine/engine.ts';
import { hasLiveAttempt } from '../../engine/live-attempt.ts';
import { endOperation, findOpenOperation, type Operation } from '../../engine/operation.ts';
import { hasTakenStep, listSteps } from '../../engine/operation-step.ts';
import { SILENT_MS } from '../../engine/sweep-operations.ts';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor, type Tx } from '../../platform/database/transact.ts';
import type { ContractState, EscrowProvider } from '../../providers/escrow/escrow-provider.ts';
import { PersistedEnvelope } from '../../providers/network/envelope.ts';
import type { LedgerNetwork } from '../../providers/network/ledger-network.ts';
import { stroopsOf } from '../../providers/network/stroops.ts';
import { unknown } from '../../providers/outcome.ts';
import type { Signer } from '../../providers/signing/signer.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { confirmDeployed, type Deployment, findAwaited } from '../escrow/find-contract.ts';
import { confirmFunded } from '../escrow/fund-escrow.ts';
import { notShown, readOwnContract, type Unconfirmed } from '../escrow/own-contract.ts';
import { type Decision, decisionOf } from '../model/dispute.ts';
import { type Escrow, moveEscrow } from '../model/escrow.ts';
import { lockOrder, type Order } from '../model/order.ts';
import { SETTLEMENTS } from '../settlement/order-settlement.ts';
import { PAYOUTS } from '../settlement/payout.ts';

/** The dependencies for reading the network and the provider. */
export interface Observer extends Transactor {
  readonly engine: Engine;
  readonly network: LedgerNetwork;
  readonly escrows: EscrowProvider;
  /** Decodes signed envelopes; only a worker has it. */
  readonly signer?: Pick<Signer, 'contractIdOf'>;
}

/** A fact that the network confirms. */
export interface Fact {
  readonly kind: 'fact';
  readonly contractId: string;
  /** Records the fact, unless another process has. */
  readonly write: (tx: Tx) => Promise<unknown>;
  /** The operation that was waiting for it, which does the remaining work. */
  readonly awaitedBy: Operation | undefined;
}

export type Finding =
  | Fact
  /** An operation is running and will find out by itself. */
  | { readonly kind: 'busy'; readonly reason: string }
  | Unconfirmed;

const busy = (reason: string): Finding => ({ kind: 'busy', reason });

/** The one fact that can be confirmed for an order in its present state. */
export async function findFact(app: Observer, call: Call, order: Order): Promise<Finding> {
  const { escrow } = order;
  if (escrow === null || order.closeReason !== null)
    return notShown('The order does not expect a change on the blockchain.');
  const [operation, isRunning] = await read(app, call, async (tx) => {
    const open = await findOpenOperation(tx, order.id);
    const aliveSince = tx.now - SILENT_MS;
    return [open, open !== undefined && (await hasLiveAttempt(tx, open, aliveSince))] as const;
  });
  if (isRunning) return busy('An operation for this order is in progress.');
  if (escrow.status === 'CREATING') return findDeployed(app, call, order, escrow, operation);
  if (escrow.status === 'FUNDING') return findFunded(app, call, order, escrow, operation);
  if (operation !== undefined) return findSettled(app, call, order, escrow, operation);
  return findDisputed(app, order, escrow);
}

async function findDeployed(
  app: Observer,
  call: Call,
  order: Order,
  escrow: Escrow,
  operation: Operation | undefined,
): Promise<Finding> {
  const [awaited, finder] = await read(
    app,
    call,
    async (tx) => [await findAwaited(tx, escrow), await findOpenOperation(tx, escrow.id)] as const,
  );
  const deployment = awaited ?? (await signedDeployment(app, call, operation));
  if (deployment === undefined)
    return notShown('No deployment transaction has been signed for this contract.');
  if (deployment === 'unread') return busy('A worker has to read the signed transaction first.');
  const { hash, contractId } = deployment;
  const absence = await findAbsence(app, [hash]);
  if (absence !== undefined) return absence;
  const contract = await readOwnContract(app, order, contractId);
  if (contract.kind !== 'done') return contract;
  return {
    kind: 'fact',
    contractId,
    awaitedBy: operation,
    write: async (tx) => {
      await confirmDeployed(tx, order.id, contractId, hash);
      // The contract is found, even if the network never returns its id.
      if (finder !== undefined) await endFinder(tx, finder);
    },
  };
}

async function endFinder(tx: Tx, finder: Operation): Promise<void> {
  const open = await findOpenOperation(tx, finder.resourceId);
  if (open?.id === finder.id) await endOperation(tx, open, { result: { isConfirmed: true } });
}

/** Before the operation has ended, only its signed envelope names the contract that it creates. */
async function signedDeployment(
  app: Observer,
  call: Call,
  operation: Operation | undefined,
): Promise<Deployment | 'unread' | undefined> {
  if (operation?.kind !== 'create-escrow') return undefined;
  const purpose = `${operation.kind}:deploy:${operation.id}`;
  const found = await PersistedEnvelope.find(app, call, purpose);
  if (found === undefined) return undefined;
  if (app.signer === undefined) return 'unread';
  const { hash, xdr } = found.envelope;
  const contractId = app.signer.contractIdOf(xdr);
  return contractId === undefined ? undefined : { hash, contractId };
}

async function findFunded(
  app: Observer,
  call: Call,
  order: Order,
  { providerContractId, amount }: Escrow,
  operation: Operation | undefined,
): Promise<Finding> {
  if (operation?.kind !== 'fund-escrow' || providerContractId === null)
    return notShown('No funding is in progress.');
  const absence = await findAbsence(app, await paymentHashes(app, call, operation));
  if (absence !== undefined) return absence;
  const contract = await readOwnContract(app, order, providerContractId);
  if (contract.kind !== 'done') return contract;
  if (contract.value.balanceStroops < stroopsOf(amount))
    return notShown('The contract holds less than the order amount.');
  return {
    kind: 'fact',
    contractId: providerContractId,
    awaitedBy: operation,
    write: (tx) => confirmFunded(tx, order.id),
  };
}

/** The decision that an operation carries out; none for those that pay nothing out. */
function decisionBy({ kind }: Operation, { dispute }: Order): Decision['decision'] | undefined {
  if (kind === 'resolve-dispute') return decisionOf(dispute).decision;
  return Object.values(SETTLEMENTS).find((each) => each.kind === kind)?.decision;
}

async function findSettled(
  app: Observer,
  call: Call,
  order: Order,
  { providerContractId }: Escrow,
  operation: Operation,
): Promise<Finding> {
  const decision = decisionBy(operation, order);
  if (decision === undefined || providerContractId === null)
    return notShown(`The operation ${operation.kind} does not pay out a contract.`);
  const absence = await findAbsence(app, await paymentHashes(app, call, operation));
  if (absence !== undefined) return absence;
  const contract = await readOwnContract(app, order, providerContractId);
  if (contract.kind !== 'done') return contract;
  if (!partsOf(contract.value).every(({ isReleased, isResolved }) => isReleased || isResolved))
    return notShown('The contract has not paid out the full amount.');
  return {
    kind: 'fact',
    contractId: providerContractId,
    awaitedBy: operation,
    // The operation brings the addresses up to date, and ends by itself once the order is settled.
    write: (tx) => PAYOUTS[decision].settle(tx, order.id),
  };
}

async function findDisputed(app: Observer, order: Order, escrow: Escrow): Promise<Finding> {
  const { providerContractId: contractId } = escrow;
  if (order.status !== 'IN_PROGRESS' || escrow.status !== 'FUNDED' || contractId === null)
    return notShown('No operation is in progress.');
  const contract = await readOwnContract(app, order, contractId);
  if (contract.kind !== 'done') return contract;
  const parts = partsOf(contract.value);
  if (parts.some(({ isReleased, isResolved }) => isReleased || isResolved)) {
    // We hold every key that could do it, so an operator has to investigate.
    app.log.error({ orderId: order.id, contractId }, 'contract paid outside Holdfast');
    return notShown('The contract was paid outside Holdfast.');
  }
  if (!parts.some(({ isDisputed }) => isDisputed)) return notShown('The contract is not disputed.');
  const write = (tx: Tx) => foundDisputed(tx, order.id);
  return { kind: 'fact', contractId, awaitedBy: undefined, write };
}

/** No money moves; a dispute can be opened next. Not while an operation of ours is in flight. */
async function foundDisputed(tx: Tx, orderId: OrderId): Promise<void> {
  const order = await lockOrder(tx, orderId);
  const { escrow } = order;
  if (order.status !== 'IN_PROGRESS' || escrow?.status !== 'FUNDED') return;
  if ((await findOpenOperation(tx, orderId)) !== undefined) return;
  // A refund of ours that was rolled back left the flag; settlement by resolution still works.
  if (await hasDisputedItself(tx, orderId)) return;
  await moveEscrow(tx, escrow, 'foundDisputed');
  await audit(tx, {
    action: 'ESCROW_FOUND_DISPUTED',
    resourceId: orderId,
    before: { escrowStatus: escrow.status },
    after: { escrowStatus: 'DISPUTED' },
  });
}

/** Whether an operation of ours set the flag on the network. */
export async function hasDisputedItself(tx: Tx, orderId: OrderId): Promise<boolean> {
  return hasTakenStep(tx, orderId, 'dispute');
}

/** The transactions by which the operation moves money. */
async function paymentHashes(
  app: Observer,
  call: Call,
  operation: Operation,
): Promise<(string | null)[]> {
  const steps = await read(app, call, (tx) => listSteps(tx, operation.id));
  return steps.filter(({ movesMoney }) => movesMoney).map(({ hash }) => hash);
}

/** Undefined when there is at least one and the network has applied them all. */
export async function findAbsence(
  { network }: Observer,
  hashes: readonly (string | null)[],
): Promise<Unconfirmed | undefined> {
  if (hashes.length === 0) return notShown('No matching transaction was sent.');
  for (const hash of hashes) {
    if (hash === null) return notShown('One transaction of this operation is not signed yet.');
    const lookup = await network.findTransaction(hash);
    if (lookup.kind !== 'done') return unknown(lookup.reason);
    if (lookup.value.status !== 'applied')
      return notShown(`The blockchain shows transaction ${hash} as ${lookup.value.status}.`);
  }
  return undefined;
}

function partsOf(contract: ContractState) {
  return contract.kind === 'single-release' ? [contract] : contract.milestones;
}
