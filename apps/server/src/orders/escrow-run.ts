//! What the sagas of an escrow have in common: its order, how its contract stands, its steps.
import { assert } from '@holdfast/kernel/assert';
import type { OrderId } from '@holdfast/kernel/ids';
import type { OperationRefusal } from '../engine/operation.ts';
import { listSteps } from '../engine/operation-step.ts';
import type { SagaRun } from '../engine/saga.ts';
import { read } from '../platform/transact.ts';
import { done, type Outcome, type Refused, unknown } from '../providers/outcome.ts';
import { type DeployedEscrow, deployed } from './checks.ts';
import { type EscrowWorker, kindOf, takeStep, tellProvider } from './escrow-steps.ts';
import { findOrder, type Order } from './order.ts';
import { holdsUnpaid, type KeptContract, type SettlementStep } from './settlement-steps.ts';
import { listOperations } from './timeline-rows.ts';

export type EscrowRun = SagaRun<EscrowWorker>;

/**
 * An order under way. Sagas look only at what was agreed and deployed, which never changes, and at
 * whether its contract is known, which it stays.
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

/** Waits until the provider knows the contract: before that it builds nothing for it. */
export async function awaitKnown(run: EscrowRun, escrow: DeployedEscrow): Promise<void> {
  await keepReading(run, 'read', () => look(run.app, escrow));
}

/**
 * The first step of every settlement: flags and balance as the network has them, once they show
 * the money. A reading from before the funding tells nothing, and what a step keeps it keeps.
 */
export async function readFunded(run: EscrowRun, escrow: DeployedEscrow): Promise<KeptContract> {
  const lookForMoney = () => lookAtFunded(run, escrow);
  const found = await keepReading(run, 'read', lookForMoney);
  if (holdsUnpaid(escrow, found)) return found;
  // Of a build that kept whatever balance it was told.
  return keepReading(run, 'read-again', lookForMoney);
}

async function keepReading(
  run: EscrowRun,
  name: string,
  work: () => Promise<Outcome<KeptContract>>,
): Promise<KeptContract> {
  const outcome = await run.provider(name, {}, work);
  assert(outcome.kind === 'done', 'a reading is never refused');
  return outcome.value;
}

async function lookAtFunded(
  run: EscrowRun,
  escrow: DeployedEscrow,
): Promise<Outcome<KeptContract>> {
  const found = await look(run.app, escrow);
  if (found.kind !== 'done' || holdsUnpaid(escrow, found.value)) return found;
  const hash = await findFundingHash(run, escrow.orderId);
  if (hash !== null) await tellProvider(run.app, hash);
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

async function look(app: EscrowWorker, escrow: DeployedEscrow): Promise<Outcome<KeptContract>> {
  const found = await app.escrows.read(escrow.providerContractId);
  if (found.kind !== 'done') return unknown(found.reason);
  if (found.value === null) {
    if (escrow.deployHash !== null) await tellProvider(app, escrow.deployHash);
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

/** Takes them in turn. Undefined when all are done; else the one that was refused. */
export async function takeSteps(
  run: EscrowRun,
  steps: readonly SettlementStep[],
): Promise<Refused | undefined> {
  for (const { name, movesMoney, step } of steps) {
    const outcome = await run.provider(name, { movesMoney }, (purpose) =>
      takeStep(run.app, run.call, purpose, step),
    );
    if (outcome.kind === 'refused') return outcome;
  }
  return undefined;
}

/** What a caller is told of a provider's no, where the order went back to where it was. */
export function internalError(run: EscrowRun, { code, reason }: Refused): OperationRefusal {
  const details = { reason: `${code}: ${reason}`, operationId: run.operation.id };
  return { code: 'INTERNAL_ERROR', details };
}
