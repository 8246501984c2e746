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

/** Browsers drop secure cookies over plain http, which only development serves. */
export function isServedOverHttps({
  NODE_ENV,
  HOLDFAST_PUBLIC_URL: publicUrl,
}: Pick<Config, 'NODE_ENV' | 'HOLDFAST_PUBLIC_URL'>): boolean {
  return NODE_ENV === 'production' || publicUrl?.startsWith('https:') === true;
}
