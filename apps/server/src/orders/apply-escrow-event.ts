//! Applies what an escrow provider tells of an order's contract, as far as the network confirms it.
//!
//! A signed notice is believed about which contract changed. What is written down comes from the
//! network, by the same functions that the sagas call; whoever locks the order first writes it.
import { assert } from '@holdfast/kernel/assert';
import type { EscrowId, OrderId } from '@holdfast/kernel/ids';
import { findOpenOperation, type Operation, takeOverOperation } from '../engine/operation.ts';
import { type Call, systemCall } from '../platform/call.ts';
import { read, type Tx, transact } from '../platform/transact.ts';
import { COMPLETED } from '../providers/escrow-provider.ts';
import type { Seal, Verdict } from '../providers/notice.ts';
import { confirmCompleted } from './complete-milestone.ts';
import { contradictionOf, type EscrowNotice, isReached } from './escrow-notice.ts';
import {
  type Fact,
  type Finding,
  findFact,
  hasDisputedItself,
  type Observer,
  whyAbsent,
} from './network-facts.ts';
import { findOrder, lockOrder, type Order } from './order.ts';
import { readOwnContract } from './own-contract.ts';

export { ESCROW_NOTICES, type EscrowNotice } from './escrow-notice.ts';
export type { Observer } from './network-facts.ts';

/** What a notice is about. */
export interface NoticedOrder {
  readonly orderId: OrderId;
  /** Whose contract it names; null where we do not know that contract. */
  readonly escrowId: EscrowId | null;
}

interface Noticed {
  readonly app: Observer;
  readonly call: Call;
  readonly order: Order;
  readonly notice: EscrowNotice;
  readonly seal: Seal;
}

const superseded = (reason: string): Verdict => ({ kind: 'superseded', reason });
const early = (reason: string): Verdict => ({ kind: 'early', reason });

/** Only what was looked at and is not so speaks against a notice; an outage does not. */
function unseen({ kind, reason }: Exclude<Finding, Fact>): Verdict {
  return { kind: kind === 'nothing' ? 'early' : 'waits', reason };
}

export async function applyEscrowEvent(
  app: Observer,
  call: Call,
  { orderId, escrowId }: NoticedOrder,
  notice: EscrowNotice,
  seal: Seal,
): Promise<Verdict> {
  const [order, isOurDispute] = await read(app, call, async (tx) => {
    const isDispute = notice.type === 'escrow.disputed';
    return [
      await findOrder(tx, orderId),
      isDispute && (await hasDisputedItself(tx, orderId)),
    ] as const;
  });
  assert(order !== undefined, 'what a contract is found by is there');
  const noticed: Noticed = { app, call, order, notice, seal };
  const isGivenUp = escrowId !== null && order.escrow?.id !== escrowId;
  if (isGivenUp) return pass(noticed, 'the contract was given up');
  const contradiction = contradictionOf(order, notice);
  if (contradiction !== undefined) return { kind: 'wrong', reason: contradiction };
  if (isReached(order, notice)) return pass(noticed, 'the order has come that far');
  if (isOurDispute) return pass(noticed, 'the dispute is an operation’s own');
  // What names a transaction is true only when the network has it.
  const { transactionHash: hash } = notice;
  const absence = hash === null ? undefined : await whyAbsent(app, [hash]);
  if (absence !== undefined) return unseen(absence);
  return notice.type === 'escrow.milestone_completed' ? complete(noticed) : confirm(noticed);
}

async function pass({ app, call, seal }: Noticed, reason: string): Promise<Verdict> {
  await transact(app, call, (tx) => seal(tx, 'SUPERSEDED'), 'read committed');
  return superseded(reason);
}

async function confirm(noticed: Noticed): Promise<Verdict> {
  const { app, call, order, notice } = noticed;
  const finding = await findFact(app, call, order);
  if (finding.kind !== 'fact') return unseen(finding);
  if (notice.contractId !== null && notice.contractId !== finding.contractId)
    return { kind: 'wrong', reason: 'the contract is not the one that we signed' };
  try {
    const verdict = await writeFact(noticed, finding);
    await nudge(app, call, finding.awaitedBy);
    return verdict;
  } catch (error) {
    if (error instanceof NotThatFar) return early(error.message);
    throw error;
  }
}

/** Each notice does its own deed, and no other's: what is true besides is for others to tell. */
class NotThatFar extends Error {}

async function writeFact(
  { app, call, order, notice, seal }: Noticed,
  fact: Fact,
): Promise<Verdict> {
  return transact(app, call, async (tx): Promise<Verdict> => {
    if (isReached(await lockOrder(tx, order.id), notice)) {
      await seal(tx, 'SUPERSEDED');
      return superseded('somebody else was first');
    }
    await fact.write(tx);
    if (!isReached(await lockOrder(tx, order.id), notice))
      throw new NotThatFar('the network shows something else, and not that');
    await seal(tx, 'APPLIED');
    return { kind: 'applied' };
  });
}

/** No money moves, so the signature is enough; but what names a transaction must be seen. */
async function complete(noticed: Noticed): Promise<Verdict> {
  const { app, call, order, notice, seal } = noticed;
  const { status, milestones, escrow } = order;
  const { milestoneRef: ref } = notice;
  if (status !== 'IN_PROGRESS' || ref === null) return early('the order is not in progress yet');
  if (notice.transactionHash !== null) {
    const contract = await readOwnContract(app, order, escrow?.providerContractId ?? '');
    if (contract.kind !== 'done') return unseen(contract);
    const place = milestones.findIndex((each) => each.ref === ref);
    if (contract.value.milestones[place]?.status !== COMPLETED.status)
      return early('the network does not show it completed');
  }
  return transact(app, call, async (tx): Promise<Verdict> => {
    const now = await lockOrder(tx, order.id);
    if (isReached(now, notice)) {
      await seal(tx, 'SUPERSEDED');
      return superseded('somebody else was first');
    }
    if ((await findOpenOperation(tx, order.id)) !== undefined)
      return { kind: 'waits', reason: 'an operation of ours is in flight' };
    await confirmCompleted(tx, order.id, ref);
    await seal(tx, 'APPLIED');
    return { kind: 'applied' };
  });
}

/**
 * A hint, which proves nothing: the network is looked at, and what it confirms is written down.
 * True when something was.
 */
export async function lookAtOrder(app: Observer, call: Call, orderId: OrderId): Promise<boolean> {
  const order = await read(app, call, (tx) => findOrder(tx, orderId));
  assert(order !== undefined, 'what a contract is found by is there');
  const finding = await findFact(app, call, order);
  if (finding.kind !== 'fact') return false;
  await transact(app, call, (tx) => finding.write(tx));
  await nudge(app, call, finding.awaitedBy);
  return true;
}

/** What waited for this need not wait for its time: it is driven now, under a new epoch. */
async function nudge(app: Observer, { actor }: Call, waiting: Operation | undefined) {
  if (waiting === undefined || (await app.engine.isUp()) !== true) return;
  assert('marketplace' in actor, 'an order is one of a marketplace');
  const take = (tx: Tx) => takeOverOperation(tx, waiting);
  const taken = await transact(app, systemCall(actor.marketplace), take, 'read committed');
  // What can't be submitted now is found by the sweeper.
  await (taken && app.engine.submit(taken))?.catch((error: Error) => {
    app.log.debug({ operationId: waiting.id, reason: error.message }, 'leave to sweeper');
  });
}
