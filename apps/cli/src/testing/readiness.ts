//! The readiness line of a set that does not run.
import type { Readiness } from '../local-readiness.ts';

export function aReadiness(api = 'http://127.0.0.1:4400'): Readiness {
  return {
    ready: true,
    api,
    masterKey: 'hfm_x',
    apiKey: 'hf_x',
    marketplaceId: 'mkt_x',
    surfaceBMarketplaceId: 'mkt_y',
    paymentWebhookSecret: 'whsec_x',
    escrowWebhookSecret: 'whsec_y',
    console: `${api}/console`,
    operators: [],
  };
}
