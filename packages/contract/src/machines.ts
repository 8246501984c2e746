//! The list of all life cycles, for documents, checks and tests that read every one of them.
import { approvalMachine } from '#approval-machine';
import { disputeMachine } from '#dispute-machine';
import { escrowMachine } from '#escrow-machine';
import { exceptionMachine } from '#exception-machine';
import { milestoneMachine } from '#milestone-machine';
import { orderMachine } from '#order-machine';
import { runMachine } from '#run-machine';
import { topupMachine } from '#topup-machine';
import { webhookMachine } from '#webhook-machine';
import { withdrawalMachine } from '#withdrawal-machine';

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
};
