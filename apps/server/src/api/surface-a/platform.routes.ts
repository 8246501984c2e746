//! Routes of configuration and health: public.
import {
  AMOUNT_LIMITS,
  BASE_CURRENCY,
  DEFAULT_FEE_RATE,
  ESCROW_CURRENCIES,
  PAGE_SIZE,
} from '@holdfast/contract/limits';
import { surfaceA } from '@holdfast/contract/surface-a';
import { CURRENCY_CODES } from '@holdfast/kernel/currency';
import type { App } from '../../app/wire.ts';
import type { Surface } from '../http/serve.ts';

export function platformRoutes(surface: Surface, app: App): void {
  surface.serve(surfaceA.getConfig, {
    run: async () => app,
    respond: ({ environment, version, features, requestsPerMinute }) => ({
      data: {
        environment,
        version,
        baseCurrency: BASE_CURRENCY as typeof BASE_CURRENCY,
        currencies: [...CURRENCY_CODES],
        escrowCurrencies: [...ESCROW_CURRENCIES],
        feeRate: DEFAULT_FEE_RATE,
        limits: { ...AMOUNT_LIMITS, pageSize: PAGE_SIZE.maximum, requestsPerMinute },
        features,
      },
    }),
  });
  surface.serve(surfaceA.getHealth, {
    run: async () => app.version,
    respond: (version) => ({ data: { status: 'ok' as const, version } }),
  });
  surface.serve(surfaceA.getDetailedHealth, {
    run: () => app.health.check(),
    respond: (health) => ({ data: health }),
  });
}
