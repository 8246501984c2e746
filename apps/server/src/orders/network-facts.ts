//! What the network shows of an order under way, and how that is written down.
//!
//! Whoever brings the news is believed in nothing: what counts is the envelope that an operation of
//! ours signed and wrote down, and that the network applied. The signer has decoded it, so
//! contract, asset, direction and amount are those that were meant. The provider's record of the
//! contract has to agree.
import { assert } from '@holdfast/kernel/assert';
import type { OrderId } from '@holdfast/kernel/ids';
import { audit } from '../audit/audit-entry.ts';
import type { Engine } from '../engine/engine.ts';
import { endOperation, findOpenOperation, isAtWork, type Operation } from '../engine/operation.ts';
import { hasTakenStep, listSteps } from '../engine/operation-step.ts';
import { SILENT_MS } from '../engine/sweep-operations.ts';
import type { Call } from '../platform/call.ts';
import { read, type Transactor, type Tx } from '../platform/transact.ts';
import { PersistedEnvelope } from '../providers/envelope.ts';
import type { ContractState, EscrowProvider } from '../providers/escrow-provider.ts';
import type { LedgerNetwork } from '../providers/ledger-network.ts';
import { unknown } from '../providers/outcome.ts';
import type { Signer } from '../providers/signer.ts';
import { stroopsOf } from '../providers/stroops.ts';
import { type Escrow, moveEscrow } from './escrow.ts';
import { confirmDeployed, type Deployment, findAwaited } from './find-contract.ts';
import { confirmFunded } from './fund-escrow.ts';
import { lockOrder, type Order } from './order.ts';
import { type Doubt, nothing, readOwnContract } from './own-contract.ts';
import { settleRefund, settleRelease, settleSplit } from './settlement.ts';

/** Who can look: at the network and at the provider. */
export interface Observer extends Transactor {
  readonly engine: Engine;
  readonly network: LedgerNetwork;
  readonly escrows: EscrowProvider;
  /** Reads what was signed; only a worker has it. */
  readonly signer?: Pick<Signer, 'contractIdOf'>;
}

/** What the network confirms. */
export interface Fact {
  readonly kind: 'fact';
  readonly contractId: string;
  /** Writes it down, unless somebody else has. */
  readonly write: (tx: Tx) => Promise<unknown>;
  /** The operation that was waiting for it; what else it has to do is left to it. */
  readonly awaitedBy: Operation | undefined;
}

export type Finding =
  | Fact
  /** An operation is at it and will find out by itself. */
  | { readonly kind: 'busy'; readonly reason: string }
  | Doubt;

const busy = (reason: string): Finding => ({ kind: 'busy', reason });

/** The one thing that can be confirmed of an order where it stands. */
export async function findFact(app: Observer, call: Call, order: Order): Promise<Finding> {
  const { escrow } = order;
  if (escrow === null || order.closeReason !== null) return nothing('the order awaits nothing');
  const [operation, isDriven] = await read(app, call, async (tx) => {
    const open = await findOpenOperation(tx, order.id);
    const heardSince = tx.now - SILENT_MS;
    return [open, open !== undefined && (await isAtWork(tx, open, heardSince))] as const;
  });
  if (isDriven) return busy('an operation of ours is at it');
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
  if (deployment === undefined) return nothing('nothing was signed that deploys it');
  if (deployment === 'unread') return busy('a worker has to look at what was signed');
  const { hash, contractId } = deployment;
  const absence = await whyAbsent(app, [hash]);
  if (absence !== undefined) return absence;
  const contract = await readOwnContract(app, order, contractId);
  if (contract.kind !== 'done') return contract;
  return {
    kind: 'fact',
    contractId,
    awaitedBy: operation,
    write: async (tx) => {
      await confirmDeployed(tx, order.id, contractId, hash);
      // It has found what it looks for, whether or not the network ever tells.
      if (finder !== undefined) await endFinder(tx, finder);
    },
  };
}

async function endFinder(tx: Tx, finder: Operation): Promise<void> {
  const open = await findOpenOperation(tx, finder.resourceId);
  if (open?.id === finder.id) await endOperation(tx, open, { result: { isConfirmed: true } });
}

/** Before its operation has ended, only what it signed tells which contract it makes. */
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
    return nothing('nobody is funding it');
  const absence = await whyAbsent(app, await hashesOf(app, call, operation, /^fund$/));
  if (absence !== undefined) return absence;
  const contract = await readOwnContract(app, order, providerContractId);
  if (contract.kind !== 'done') return contract;
  if (contract.value.balanceStroops < stroopsOf(amount)) return nothing('the contract holds less');
  return {
    kind: 'fact',
    contractId: providerContractId,
    awaitedBy: operation,
    write: (tx) => confirmFunded(tx, order.id),
  };
}

/** What ends an order, by the operation that was to bring it about. */
const SETTLES: Readonly<
  Record<string, (order: Order) => (tx: Tx, orderId: OrderId) => Promise<unknown>>
> = {
  'release-order': () => settleRelease,
  'refund-order': () => settleRefund,
  'resolve-dispute': ({ dispute }) => {
    const decision = dispute?.claim?.decision;
    assert(decision !== undefined, 'a decision stays claimed while it is driven');
    return { FULL_RELEASE: settleRelease, FULL_REFUND: settleRefund, SPLIT: settleSplit }[decision];
  },
};

async function findSettled(
  app: Observer,
  call: Call,
  order: Order,
  { providerContractId }: Escrow,
  operation: Operation,
): Promise<Finding> {
  const settle = SETTLES[operation.kind]?.(order);
  if (settle === undefined || providerContractId === null)
    return nothing(`${operation.kind} settles nothing`);
  const paying = await hashesOf(app, call, operation, /^(release|resolve)(-\d+)?$/);
  const absence = await whyAbsent(app, paying);
  if (absence !== undefined) return absence;
  const contract = await readOwnContract(app, order, providerContractId);
  if (contract.kind !== 'done') return contract;
  if (!partsOf(contract.value).every(({ isReleased, isResolved }) => isReleased || isResolved))
    return nothing('the contract has not paid all of it');
  return {
    kind: 'fact',
    contractId: providerContractId,
    awaitedBy: operation,
    // Addresses are trued up by the operation, which ends by itself once the order is settled.
    write: (tx) => settle(tx, order.id),
  };
}

async function findDisputed(app: Observer, order: Order, escrow: Escrow): Promise<Finding> {
  const { providerContractId: contractId } = escrow;
  if (order.status !== 'IN_PROGRESS' || escrow.status !== 'FUNDED' || contractId === null)
    return nothing('nothing of ours is under way');
  const contract = await readOwnContract(app, order, contractId);
  if (contract.kind !== 'done') return contract;
  const parts = partsOf(contract.value);
  if (parts.some(({ isReleased, isResolved }) => isReleased || isResolved)) {
    // We hold every key that could do it: somebody has to look.
    app.log.error({ orderId: order.id, contractId }, 'find contract paid');
    return nothing('the contract has paid, and no operation of ours did it');
  }
  if (!parts.some(({ isDisputed }) => isDisputed)) return nothing('the contract is not disputed');
  const write = (tx: Tx) => foundDisputed(tx, order.id);
  return { kind: 'fact', contractId, awaitedBy: undefined, write };
}

/** No money moves; the way on is a dispute. Not while an operation of ours is in flight. */
async function foundDisputed(tx: Tx, orderId: OrderId): Promise<void> {
  const order = await lockOrder(tx, orderId);
  const { escrow } = order;
  if (order.status !== 'IN_PROGRESS' || escrow?.status !== 'FUNDED') return;
  if ((await findOpenOperation(tx, orderId)) !== undefined) return;
  // A refund of ours that went back has left the flag: it is settled by resolution all the same.
  if (await hasDisputedItself(tx, orderId)) return;
  await moveEscrow(tx, escrow, 'foundDisputed');
  await audit(tx, {
    action: 'ESCROW_FOUND_DISPUTED',
    resourceId: orderId,
    before: { escrowStatus: escrow.status },
    after: { escrowStatus: 'DISPUTED' },
  });
}

/** Whether the flag on the network is our own doing. */
export async function hasDisputedItself(tx: Tx, orderId: OrderId): Promise<boolean> {
  return hasTakenStep(tx, orderId, 'dispute');
}

async function hashesOf(
  app: Observer,
  call: Call,
  operation: Operation,
  names: RegExp,
): Promise<(string | null)[]> {
  const steps = await read(app, call, (tx) => listSteps(tx, operation.id));
  return steps.filter(({ name }) => names.test(name)).map(({ hash }) => hash);
}

/** Undefined when the network has applied all of them, and there is one. */
export async function whyAbsent(
  { network }: Observer,
  hashes: readonly (string | null)[],
): Promise<Doubt | undefined> {
  if (hashes.length === 0) return nothing('nothing was sent that would do it');
  for (const hash of hashes) {
    if (hash === null) return nothing('a step of it was not signed yet');
    const fate = await network.lookUp(hash);
    if (fate.kind !== 'done') return unknown(fate.reason);
    if (fate.value.fate !== 'applied')
      return nothing(`the network shows ${hash} as ${fate.value.fate}`);
  }
  return undefined;
}

function partsOf(contract: ContractState) {
  return contract.kind === 'single-release' ? [contract] : contract.milestones;
}
