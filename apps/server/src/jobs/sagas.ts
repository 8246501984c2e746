//! Every saga that a worker can execute: one row per kind of operation.
import type { Saga } from '../engine/saga.ts';
import { createEscrowSaga } from '../orders/create-escrow.ts';
import { findContractSaga } from '../orders/find-contract.ts';
import { fundEscrowSaga } from '../orders/fund-escrow.ts';
import { refundSaga } from '../orders/refund-order.ts';
import { releaseSaga } from '../orders/release-order.ts';
import { resolveSaga } from '../orders/resolve-dispute.ts';
import { checkoutSaga } from '../projects/fund-project.ts';
import { reconcileSaga } from '../reconciliation/reconcile-books.ts';
import { cancelTopupSaga } from '../topups/cancel-topup.ts';
import { createTopupSaga } from '../topups/create-topup.ts';
import type { Custody } from '../wire-worker.ts';
import { commitWithdrawalSaga } from '../withdrawals/commit-withdrawal.ts';

export const sagas: readonly Saga<Custody>[] = [
  createEscrowSaga,
  findContractSaga,
  fundEscrowSaga,
  releaseSaga,
  refundSaga,
  resolveSaga,
  commitWithdrawalSaga,
  createTopupSaga,
  cancelTopupSaga,
  reconcileSaga,
  checkoutSaga,
];
