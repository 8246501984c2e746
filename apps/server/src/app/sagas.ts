//! Every saga that a worker can execute: one row per kind of operation.

import { reconcileBooksSaga } from '../assurance/reconciliation/reconcile-books.ts';
import type { Saga } from '../engine/saga.ts';
import { checkoutSaga } from '../members/projects/fund-project.ts';
import { resolveSaga } from '../orders/disputes/resolve-dispute.ts';
import { createEscrowSaga } from '../orders/escrow/create-escrow.ts';
import { findContractSaga } from '../orders/escrow/find-contract.ts';
import { fundEscrowSaga } from '../orders/escrow/fund-escrow.ts';
import { refundSaga } from '../orders/settlement/refund-order.ts';
import { releaseSaga } from '../orders/settlement/release-order.ts';
import { cancelTopupSaga } from '../payments/topups/cancel-topup.ts';
import { createTopupSaga } from '../payments/topups/create-topup.ts';
import { cancelWithdrawalSaga } from '../payments/withdrawals/cancel-withdrawal.ts';
import { commitWithdrawalSaga } from '../payments/withdrawals/commit-withdrawal.ts';
import type { Custody } from './wire-worker.ts';

export const sagas: readonly Saga<Custody>[] = [
  createEscrowSaga,
  findContractSaga,
  fundEscrowSaga,
  releaseSaga,
  refundSaga,
  resolveSaga,
  commitWithdrawalSaga,
  cancelWithdrawalSaga,
  createTopupSaga,
  cancelTopupSaga,
  reconcileBooksSaga,
  checkoutSaga,
];
