//! Builds the console-only parts: the request log, the health of the providers, the test lab.

import { HomeFigures } from '../console/home/home-figures.ts';
import { RequestWriter } from '../console/request-log/request-writer.ts';
import type { Config } from '../platform/config/config.ts';
import { VERSION } from '../platform/config/version.ts';
import type { Transactor } from '../platform/database/transact.ts';
import { type Health, watchHealth } from '../platform/process/health.ts';
import { reachable } from '../providers/reachable.http.ts';
import { httpSandboxControl, type SandboxControl } from '../providers/sandbox-control.http.ts';

export interface ConsoleDeps {
  readonly requests: RequestWriter;
  readonly home: HomeFigures;
  /** Health of the external dependencies. */
  readonly upstream: Health;
  /** Undefined where no sandbox is configured: then there is no test lab. */
  readonly sandbox: SandboxControl | undefined;
}

export function wireConsole(config: Config, deps: Transactor): ConsoleDeps {
  const { HOLDFAST_SANDBOX_URL: sandboxUrl } = config;
  return {
    requests: new RequestWriter(deps),
    home: new HomeFigures(deps),
    upstream: watchHealth(VERSION, deps.clock, {
      escrowProvider: reachable(config.HOLDFAST_ESCROW_PROVIDER_URL),
      paymentProvider: reachable(config.HOLDFAST_PAYMENT_PROVIDER_URL),
      ledgerNetwork: reachable(config.HOLDFAST_HORIZON_URL),
    }),
    sandbox: sandboxUrl === undefined ? undefined : httpSandboxControl(sandboxUrl),
  };
}
