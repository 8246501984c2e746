//! Surface A, below /api/v1: the specification's 54 endpoints in its order, then ours.
import type { Endpoint } from '#endpoint';
import { accessEndpoints } from '#surface-a/access';
import { approvalEndpoints } from '#surface-a/approvals';
import { balanceEndpoints } from '#surface-a/balances';
import { disputeEndpoints } from '#surface-a/disputes';
import { escrowEndpoints } from '#surface-a/escrow';
import { eventEndpoints, pullEndpoints } from '#surface-a/events';
import { inboxEndpoints } from '#surface-a/inbox';
import { insightEndpoints } from '#surface-a/insights';
import { labEndpoints } from '#surface-a/lab';
import { ledgerEndpoints } from '#surface-a/ledger';
import { marketplaceEndpoints } from '#surface-a/marketplaces';
import { operationDeskEndpoints, operationEndpoints } from '#surface-a/operations';
import { operatorDisputeEndpoints } from '#surface-a/operator-disputes';
import { operatorUserEndpoints } from '#surface-a/operator-users';
import { operatorEndpoints } from '#surface-a/operators';
import { orderDetailEndpoints } from '#surface-a/order-detail';
import { orderEndpoints } from '#surface-a/orders';
import { platformEndpoints } from '#surface-a/platform';
import { reconciliationEndpoints } from '#surface-a/reconciliation';
import { recoveryEndpoints } from '#surface-a/recovery';
import { requestLogEndpoints } from '#surface-a/request-log';
import { searchEndpoints } from '#surface-a/search';
import { solvencyEndpoints } from '#surface-a/solvency';
import { statementEndpoints } from '#surface-a/statements';
import { systemEndpoints } from '#surface-a/system';
import { timelineEndpoints } from '#surface-a/timeline';
import { topupEndpoints } from '#surface-a/topups';
import { userEndpoints } from '#surface-a/users';
import { walletEndpoints } from '#surface-a/wallets';
import { webhookEndpoints } from '#surface-a/webhook-endpoints';
import { withdrawalCareEndpoints, withdrawalEndpoints } from '#surface-a/withdrawals';

export const SURFACE_A_BASE = '/api/v1';

export const surfaceA = {
  ...accessEndpoints,
  ...platformEndpoints,
  ...userEndpoints,
  ...balanceEndpoints,
  ...walletEndpoints,
  ...topupEndpoints,
  ...orderEndpoints,
  ...escrowEndpoints,
  ...disputeEndpoints,
  ...withdrawalEndpoints,
  ...eventEndpoints,
  ...marketplaceEndpoints,
  ...operationEndpoints,
  ...timelineEndpoints,
  ...statementEndpoints,
  ...pullEndpoints,
  ...reconciliationEndpoints,
  ...solvencyEndpoints,
  ...recoveryEndpoints,
  ...webhookEndpoints,
  ...searchEndpoints,
  ...insightEndpoints,
  ...operationDeskEndpoints,
  ...ledgerEndpoints,
  ...orderDetailEndpoints,
  ...operatorDisputeEndpoints,
  ...operatorUserEndpoints,
  ...withdrawalCareEndpoints,
  ...inboxEndpoints,
  ...requestLogEndpoints,
  ...systemEndpoints,
  ...labEndpoints,
  ...operatorEndpoints,
  ...approvalEndpoints,
};

surfaceA satisfies { [I in keyof typeof surfaceA]: Endpoint & { readonly id: I } };

export type SurfaceA = typeof surfaceA;
export type SurfaceAId = keyof SurfaceA;
