//! Makes what only a console asks for: the log of requests, a look at the providers, the test lab.
import type { Config } from './config.ts';
import { HomeFigures } from './console/get-home.ts';
import { type Health, watchHealth } from './platform/health.ts';
import type { Transactor } from './platform/transact.ts';
import { reachable } from './providers/reachable.http.ts';
import { httpSandboxControl, type SandboxControl } from './providers/sandbox-control.http.ts';
import { RequestWriter } from './requests/request-writer.ts';
import { VERSION } from './version.ts';

export interface ConsoleParts {
  readonly requests: RequestWriter;
  readonly home: HomeFigures;
  /** How whom we ask is. */
  readonly outside: Health;
  /** Undefined where no sandbox is configured: there is no test lab then. */
  readonly sandbox: SandboxControl | undefined;
}

export function wireConsole(config: Config, parts: Transactor): ConsoleParts {
  const { HOLDFAST_SANDBOX_URL: sandboxUrl } = config;
  return {
    requests: new RequestWriter(parts),
    home: new HomeFigures(parts),
    outside: watchHealth(VERSION, parts.clock, {
      escrowProvider: reachable(config.HOLDFAST_ESCROW_PROVIDER_URL),
      paymentProvider: reachable(config.HOLDFAST_PAYMENT_PROVIDER_URL),
      ledgerNetwork: reachable(config.HOLDFAST_HORIZON_URL),
    }),
    sandbox: sandboxUrl === undefined ? undefined : httpSandboxControl(sandboxUrl),
  };
}
