//! Applies an escrow provider's notification about a contract, as far as the network confirms it.
//!
//! A signed notification is trusted only about which contract changed. The recorded facts come from
//! the network, through the functions that the sagas call; the first to lock the order records
//! them.
import { assert } from '@holdfast/kernel/assert';
import type { EscrowId, OrderId } from '@holdfast/kernel/ids';
import { findOpenOperation, type Operation, takeOverOperation } from '../../engine/operation.ts';
import { type Call, systemCall } from '../../platform/call.ts';
import { read, type Tx, transact } from '../../platform/database/transact.ts';
import { COMPLETED } from '../../providers/escrow/escrow-provider.ts';
import type { ApplyResult, MarkNotification } from '../../providers/notification.ts';
import { readOwnContract } from '../escrow/own-contract.ts';
import { findOrder, lockOrder, type Order } from '../model/order.ts';
import { confirmCompleted } from '../order/complete-milestone.ts';
import { contradictionOf, type EscrowNotification, isReached } from './escrow-notification.ts';
import {
  type Fact,
  type Finding,
  findAbsence,
  findFact,
  hasDisputedItself,
  type Observer,
} from './network-facts.ts';

export { ESCROW_NOTIFICATION_TYPES, type EscrowNotification } from './escrow-notification.ts';
export type { Observer } from './network-facts.ts';

/** The order that a notification is about. */
export interface MatchedOrder {
  readonly orderId: OrderId;
  /** The escrow whose contract it names; null when we do not know that contract. */
  readonly escrowId: EscrowId | null;
}

interface NotificationContext {
  readonly app: Observer;
  readonly call: Call;
  readonly order: Order;
  readonly notification: EscrowNotification;
  readonly mark: MarkNotification;
}

const superseded = (reason: string): ApplyResult => ({ kind: 'superseded', reason });
const early = (reason: string): ApplyResult => ({ kind: 'early', reason });

/** Only a fact that was checked and is not so contradicts a notification; an outage does not. */
function unconfirmed({ kind, reason }: Exclude<Finding, Fact>): ApplyResult {
  return { kind: kind === 'nothing' ? 'early' : 'waits', reason };
}

export async function applyEscrowEvent(
  app: Observer,
  call: Call,
  { orderId, escrowId }: MatchedOrder,
  notification: EscrowNotification,
  mark: MarkNotification,
): Promise<ApplyResult> {
  const [order, isOurDispute] = await read(app, call, async (tx) => {
    const isDispute = notification.type === 'escrow.disputed';
    return [
      await findOrder(tx, orderId),
      isDispute && (await hasDisputedItself(tx, orderId)),
    ] as const;
  });
  assert(order !== undefined, 'what a contract is found by is there');
  const context: NotificationContext = { app, call, order, notification, mark };
  const isGivenUp = escrowId !== null && order.escrow?.id !== escrowId;
  if (isGivenUp) return supersede(context, 'The contract was abandoned.');
  const contradiction = contradictionOf(order, notification);
  if (contradiction !== undefined) return { kind: 'wrong', reason: contradiction };
  if (isReached(order, notification))
    return supersede(context, 'The order already has this status.');
  if (isOurDispute) return supersede(context, 'The dispute belongs to an operation of Holdfast.');
  // A notification that names a transaction is true only when the network has it.
  const { transactionHash: hash } = notification;
  const absence = hash === null ? undefined : await findAbsence(app, [hash]);
  if (absence !== undefined) return unconfirmed(absence);
  return notification.type === 'escrow.milestone_completed' ? complete(context) : confirm(context);
}

async function supersede(
  { app, call, mark }: NotificationContext,
  reason: string,
): Promise<ApplyResult> {
  await transact(app, call, (tx) => mark(tx, 'SUPERSEDED'), 'read committed');
  return superseded(reason);
}

async function confirm(context: NotificationContext): Promise<ApplyResult> {
  const { app, call, order, notification } = context;
  const finding = await findFact(app, call, order);
  if (finding.kind !== 'fact') return unconfirmed(finding);
  if (notification.contractId !== null && notification.contractId !== finding.contractId)
    return { kind: 'wrong', reason: 'The notification names a different contract.' };
  try {
    const verdict = await writeFact(context, finding);
    await wakeOperation(app, call, finding.awaitedBy);
    return verdict;
  } catch (error) {
    if (error instanceof NotReached) return early(error.message);
    throw error;
  }
}

/**
 * A notification is applied only by its own effect; other true facts are left to other
 * notifications.
 */
class NotReached extends Error {}

async function writeFact(
  { app, call, order, notification, mark }: NotificationContext,
  fact: Fact,
): Promise<ApplyResult> {
  return transact(app, call, async (tx): Promise<ApplyResult> => {
    if (isReached(await lockOrder(tx, order.id), notification)) {
      await mark(tx, 'SUPERSEDED');
      return superseded('Already processed by another worker.');
    }
    await fact.write(tx);
    if (!isReached(await lockOrder(tx, order.id), notification))
      throw new NotReached('The blockchain shows a different status.');
    await mark(tx, 'APPLIED');
    return { kind: 'applied' };
  });
}

/** No money moves, so the signature is enough; a named transaction must still be on the network. */
async function complete(context: NotificationContext): Promise<ApplyResult> {
  const { app, call, order, notification, mark } = context;
  const { status, milestones, escrow } = order;
  const { milestoneRef: ref } = notification;
  if (status !== 'IN_PROGRESS' || ref === null) return early('The order is not in progress yet.');
  if (notification.transactionHash !== null) {
    const contract = await readOwnContract(app, order, escrow?.providerContractId ?? '');
    if (contract.kind !== 'done') return unconfirmed(contract);
    const index = milestones.findIndex((each) => each.ref === ref);
    if (contract.value.milestones[index]?.status !== COMPLETED.status)
      return early('The blockchain does not show the milestone as completed.');
  }
  return transact(app, call, async (tx): Promise<ApplyResult> => {
    const now = await lockOrder(tx, order.id);
    if (isReached(now, notification)) {
      await mark(tx, 'SUPERSEDED');
      return superseded('Already processed by another worker.');
    }
    if ((await findOpenOperation(tx, order.id)) !== undefined)
      return { kind: 'waits', reason: 'An operation is in progress.' };
    await confirmCompleted(tx, order.id, ref);
    await mark(tx, 'APPLIED');
    return { kind: 'applied' };
  });
}

/**
 * Handles a hint, which proves nothing: reads the network and records what it confirms. True when
 * something was recorded.
 */
export async function checkOrder(app: Observer, call: Call, orderId: OrderId): Promise<boolean> {
  const order = await read(app, call, (tx) => findOrder(tx, orderId));
  assert(order !== undefined, 'what a contract is found by is there');
  const finding = await findFact(app, call, order);
  if (finding.kind !== 'fact') return false;
  await transact(app, call, (tx) => finding.write(tx));
  await wakeOperation(app, call, finding.awaitedBy);
  return true;
}

/** An operation that waited for this fact is executed now, under a new epoch. */
async function wakeOperation(
  app: Observer,
  { actor, worksDuringRecovery = false }: Call,
  waiting: Operation | undefined,
) {
  if (waiting === undefined || (await app.engine.isUp()) !== true) return;
  assert('marketplace' in actor, 'an order is one of a marketplace');
  const take = (tx: Tx) => takeOverOperation(tx, waiting);
  const call = { ...systemCall(actor.marketplace), worksDuringRecovery };
  const taken = await transact(app, call, take, 'read committed');
  // The sweeper finds an operation that cannot be submitted now.
  await (taken && app.engine.submit(taken))?.catch((error: Error) => {
    app.log.debug({ operationId: waiting.id, err: error }, 'operation left to sweeper');
  });
}
