//! The list of all life cycles, for documents, checks and tests that read every one of them.
import { approvalMachine } from '#machines/approval-machine';
import { disputeMachine } from '#machines/dispute-machine';
import { escrowMachine } from '#machines/escrow-machine';
import { exceptionMachine } from '#machines/exception-machine';
import { lineageMachine } from '#machines/lineage-machine';
import { milestoneMachine } from '#machines/milestone-machine';
import { operatorMachine } from '#machines/operator-machine';
import { orderMachine } from '#machines/order-machine';
import { runMachine } from '#machines/run-machine';
import { topupMachine } from '#machines/topup-machine';
import { webhookMachine } from '#machines/webhook-machine';
import { withdrawalMachine } from '#machines/withdrawal-machine';

export const machines = {
  order: orderMachine,
  escrow: escrowMachine,
  milestone: milestoneMachine,
  dispute: disputeMachine,
  topup: topupMachine,
  withdrawal: withdrawalMachine,
  run: runMachine,
  exception: exceptionMachine,
  webhook: webhookMachine,
  approval: approvalMachine,
  operator: operatorMachine,
  lineage: lineageMachine,
};
