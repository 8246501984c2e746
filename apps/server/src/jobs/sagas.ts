//! Every saga that a worker can drive: one row per kind of operation.
import type { Saga } from '../engine/saga.ts';
import { createEscrowSaga } from '../orders/create-escrow.ts';
import { findContractSaga } from '../orders/find-contract.ts';
import { fundEscrowSaga } from '../orders/fund-escrow.ts';
import { refundSaga } from '../orders/refund-order.ts';
import { releaseSaga } from '../orders/release-order.ts';
import { resolveSaga } from '../orders/resolve-dispute.ts';
import { trueUpSaga } from '../orders/true-up-wallet.ts';
import type { Custody } from '../wire-worker.ts';

export const sagas: readonly Saga<Custody>[] = [
  createEscrowSaga,
  findContractSaga,
  fundEscrowSaga,
  releaseSaga,
  refundSaga,
  resolveSaga,
  trueUpSaga,
];
