//! Builds the console-only parts: the request log, the home page's figures, the test lab.

import { HomeFigures } from '../console/home/home-figures.ts';
import { RequestWriter } from '../console/request-log/request-writer.ts';
import type { Config } from '../platform/config/config.ts';
import type { Transactor } from '../platform/database/transact.ts';
import { httpSandboxControl, type SandboxControl } from '../providers/sandbox-control.http.ts';

export interface ConsoleDeps {
  readonly requests: RequestWriter;
  readonly home: HomeFigures;
  /** Undefined where no sandbox is configured: then there is no test lab. */
  readonly sandbox: SandboxControl | undefined;
}

export function wireConsole(config: Config, deps: Transactor): ConsoleDeps {
  const { HOLDFAST_SANDBOX_URL: sandboxUrl } = config;
  return {
    requests: new RequestWriter(deps),
    home: new HomeFigures(deps),
    sandbox: sandboxUrl === undefined ? undefined : httpSandboxControl(sandboxUrl),
  };
}
