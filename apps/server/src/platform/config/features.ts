//! The features of this deployment, as GET /config returns them.
import type { Config } from './config.ts';

export function featuresOf(config: Config): Readonly<Record<string, boolean>> {
  return {
    balances: true,
    wallets: config.HOLDFAST_HORIZON_URL !== undefined,
    orders: true,
    topups: true,
    withdrawals: true,
    events: true,
    webhooks: config.HOLDFAST_WEBHOOK_KEYS !== undefined,
    surfaceB: config.HOLDFAST_SURFACE_B_MARKETPLACE !== undefined,
  };
}
