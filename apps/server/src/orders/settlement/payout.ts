//! How a contract pays out: the calls on it, then the transaction that settles the order. Each
//! decision of a dispute is one way; a release and a refund without a dispute are the first two.
import type { StepName } from '@holdfast/contract/step-words';
import type { OrderId } from '@holdfast/kernel/ids';
import type { OperationRefusal } from '../../engine/operation.ts';
import { listSteps } from '../../engine/operation-step.ts';
import { read, type Tx } from '../../platform/database/transact.ts';
import { settleEnvelope } from '../../providers/network/settle-envelope.ts';
import { type Refused, refused } from '../../providers/outcome.ts';
import type { StoredContract } from '../escrow/contract-parts.ts';
import {
  deployedEscrow,
  type EscrowedOrder,
  type EscrowRun,
  readFunded,
  type SettlementStep,
  takeSteps,
} from '../escrow/escrow-run.ts';
import type { DeployedEscrow } from '../model/checks.ts';
import { type Decision, decisionOf } from '../model/dispute.ts';
import { settleRefund, settleRelease, settleSplit } from './settlement.ts';
import { refundSteps, releaseSteps, splitSteps } from './settlement-steps.ts';

interface Payout {
  readonly steps: (
    escrow: DeployedEscrow,
    contract: StoredContract,
    order: EscrowedOrder,
  ) => SettlementStep[];
  readonly settle: (tx: Tx, orderId: OrderId) => Promise<{ readonly isSettled: true }>;
}

export const PAYOUTS: Readonly<Record<Decision['decision'], Payout>> = {
  FULL_RELEASE: { steps: releaseSteps, settle: settleRelease },
  FULL_REFUND: { steps: refundSteps, settle: settleRefund },
  SPLIT: {
    steps: (escrow, contract, { dispute }) =>
      splitSteps(escrow, contract, decisionOf(dispute).releaseAmount),
    settle: settleSplit,
  },
};

/** The part that all sagas of a settlement share. `undo` runs while no money has moved. */
export async function payOut(
  run: EscrowRun,
  order: EscrowedOrder,
  decision: Decision['decision'],
  undo: (tx: Tx, refusal: Refused) => Promise<OperationRefusal>,
): Promise<{ readonly isSettled: true }> {
  const { steps, settle } = PAYOUTS[decision];
  // A notification or a recovery has found the contract paid out.
  if (order.closeReason !== null) {
    await endSentSteps(run);
    return run.lastStep('settle', (tx) => settle(tx, order.id));
  }
  const escrow = deployedEscrow(order);
  const contract = await readFunded(run, escrow);
  const refusal = await takeSteps(run, steps(escrow, contract, order));
  if (refusal !== undefined) return run.undoOrEscalate(refusal, (tx) => undo(tx, refusal));
  return run.lastStep('settle', (tx) => settle(tx, order.id));
}

/** The operation did not learn what became of the transactions that it had signed. */
async function endSentSteps(run: EscrowRun): Promise<void> {
  const { app, call, operation } = run;
  const steps = await read(app, call, (tx) => listSteps(tx, operation.id));
  const sent = steps.filter(({ status, hash }) => status === 'CLAIMED' && hash !== null);
  for (const { name, movesMoney } of sent)
    await run.providerStep(
      name as StepName,
      { provider: 'escrow_provider', movesMoney },
      (purpose) => settleEnvelope(app, call, purpose, async () => PAID_OUT),
    );
}

const PAID_OUT = refused('paid-out', 'the contract has paid out');
