//! Surface A, below /api/v1: the specification's 54 endpoints in its order, then ours.
import type { Endpoint } from '#endpoint';
import { accessEndpoints } from '#surface-a/access';
import { balanceEndpoints } from '#surface-a/balances';
import { disputeEndpoints } from '#surface-a/disputes';
import { escrowEndpoints } from '#surface-a/escrow';
import { eventEndpoints, pullEndpoints } from '#surface-a/events';
import { marketplaceEndpoints } from '#surface-a/marketplaces';
import { operationEndpoints } from '#surface-a/operations';
import { orderEndpoints } from '#surface-a/orders';
import { platformEndpoints } from '#surface-a/platform';
import { reconciliationEndpoints } from '#surface-a/reconciliation';
import { solvencyEndpoints } from '#surface-a/solvency';
import { statementEndpoints } from '#surface-a/statements';
import { timelineEndpoints } from '#surface-a/timeline';
import { topupEndpoints } from '#surface-a/topups';
import { userEndpoints } from '#surface-a/users';
import { walletEndpoints } from '#surface-a/wallets';
import { withdrawalEndpoints } from '#surface-a/withdrawals';

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
};

surfaceA satisfies { [I in keyof typeof surfaceA]: Endpoint & { readonly id: I } };

export type SurfaceA = typeof surfaceA;
export type SurfaceAId = keyof SurfaceA;
