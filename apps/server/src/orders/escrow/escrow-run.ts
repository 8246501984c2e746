//! Shared parts of the escrow sagas: reading the order, reading the contract, taking the steps.
import type { StepName } from '@holdfast/contract/step-words';
import { assert } from '@holdfast/kernel/assert';
import type { OrderId } from '@holdfast/kernel/ids';
import type { OperationRefusal } from '../../engine/operation.ts';
import { listSteps } from '../../engine/operation-step.ts';
import type { SagaRun } from '../../engine/saga.ts';
import { read } from '../../platform/database/transact.ts';
import type { EscrowStep } from '../../providers/escrow/escrow-provider.ts';
import { done, type Outcome, type Refused, unknown } from '../../providers/outcome.ts';
import { type DeployedEscrow, deployed } from '../model/checks.ts';
import { findOrder, type Order } from '../model/order.ts';
import { listOperations } from '../model/order-operations.ts';
import { holdsUnpaid, type StoredContract } from './contract-parts.ts';
import { type EscrowWorker, kindOf, notifyProvider, takeStep } from './escrow-steps.ts';

export type EscrowRun = SagaRun<EscrowWorker>;

/** One call on the contract, under the name of its saga step. */
export interface SettlementStep {
  readonly name: StepName;
  readonly movesMoney: boolean;
  readonly step: EscrowStep;
}

/**
 * An order with an escrow. Sagas use only its agreed and deployed terms, which never change, and
 * whether its contract is known, which stays so.
 */
export interface EscrowedOrder extends Order {
  readonly escrow: NonNullable<Order['escrow']>;
}

export async function orderOf(run: EscrowRun, orderId: OrderId): Promise<EscrowedOrder> {
  const order = await read(run.app, run.call, (tx) => findOrder(tx, orderId));
  assert(order !== undefined && order.escrow !== null, 'an order in flight has its escrow');
  return { ...order, escrow: order.escrow };
}

export function deployedEscrow({ escrow }: EscrowedOrder): DeployedEscrow {
  return deployed(escrow);
}

/** Waits until the provider knows the contract: before that it builds no transaction for it. */
export async function awaitKnown(run: EscrowRun, escrow: DeployedEscrow): Promise<void> {
  await recordReading(run, 'read', () => readContract(run.app, escrow));
}

/**
 * The first step of every settlement: reads flags and balance from the network, once they show the
 * money. A reading from before the funding proves nothing, and a stored step result never changes.
 */
export async function readFunded(run: EscrowRun, escrow: DeployedEscrow): Promise<StoredContract> {
  const attemptRead = () => readWhenFunded(run, escrow);
  const found = await recordReading(run, 'read', attemptRead);
  if (holdsUnpaid(escrow, found)) return found;
  // The stored reading is from an older build, which stored any balance.
  return recordReading(run, 'read-again', attemptRead);
}

async function recordReading(
  run: EscrowRun,
  name: StepName,
  work: () => Promise<Outcome<StoredContract>>,
): Promise<StoredContract> {
  const outcome = await run.providerStep(name, { provider: 'ledger_network' }, work);
  assert(outcome.kind === 'done', 'a reading is never refused');
  return outcome.value;
}

async function readWhenFunded(
  run: EscrowRun,
  escrow: DeployedEscrow,
): Promise<Outcome<StoredContract>> {
  const found = await readContract(run.app, escrow);
  if (found.kind !== 'done' || holdsUnpaid(escrow, found.value)) return found;
  const hash = await findFundingHash(run, escrow.orderId);
  if (hash !== null) await notifyProvider(run.app, hash);
  return unknown('the contract does not show its money yet');
}

/** The order's last funding is the one of its present contract. */
async function findFundingHash({ app, call }: EscrowRun, orderId: OrderId): Promise<string | null> {
  return read(app, call, async (tx) => {
    const operations = await listOperations(tx, [orderId]);
    const funding = operations.findLast(({ kind }) => kind === 'fund-escrow');
    const steps = funding === undefined ? [] : await listSteps(tx, funding.id);
    return steps.find(({ name }) => name === 'fund')?.hash ?? null;
  });
}

async function readContract(
  app: EscrowWorker,
  escrow: DeployedEscrow,
): Promise<Outcome<StoredContract>> {
  const found = await app.escrows.read(escrow.providerContractId);
  if (found.kind !== 'done') return unknown(found.reason);
  if (found.value === null) {
    if (escrow.deployHash !== null) await notifyProvider(app, escrow.deployHash);
    return unknown('the provider does not know the contract yet');
  }
  const { kind, balanceStroops, isDisputed, isReleased, isResolved, milestones } = found.value;
  assert(kind === kindOf(escrow), 'a contract is of the kind that was deployed');
  return done({
    kind,
    balanceStroops: String(balanceStroops),
    isDisputed,
    isReleased,
    isResolved,
    milestones: milestones.map((each) => ({
      ...each,
      stroops: each.stroops === null ? null : String(each.stroops),
    })),
  });
}

/** Takes the steps in order. Undefined when all are done; otherwise the refused outcome. */
export async function takeSteps(
  run: EscrowRun,
  steps: readonly SettlementStep[],
): Promise<Refused | undefined> {
  for (const { name, movesMoney, step } of steps) {
    const outcome = await run.providerStep(
      name,
      { provider: 'escrow_provider', movesMoney },
      (purpose) => takeStep(run.app, run.call, purpose, step),
    );
    if (outcome.kind === 'refused') return outcome;
  }
  return undefined;
}

/** The caller's refusal for a provider's refusal, when the order went back to its earlier state. */
export function internalError(run: EscrowRun, { code, reason }: Refused): OperationRefusal {
  const details = { reason: `${code}: ${reason}`, operationId: run.operation.id };
  return { code: 'INTERNAL_ERROR', details };
}
