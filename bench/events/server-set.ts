//! One api process and, when asked, one worker, both open to a look inside.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type LocalSet, type ServerProcess, startLocalSet } from '../../apps/cli/src/local-set.ts';
import { profileReport } from '../profile.ts';
import type { Window } from '../window.ts';
import { inspect } from './inspect.ts';

export interface ServerSet {
  readonly local: LocalSet;
  readonly api: ServerProcess;
  /** As the owner of the tables. */
  readonly monitor: Client;
  startWorker(): Promise<ServerProcess>;
  stop(): Promise<void>;
}

/** Any of the processes can be looked into while it runs, see inspect.ts. */
const INSPECTABLE = { NODE_OPTIONS: '--inspect-port=0' };

export async function startServerSet(env: Record<string, string> = {}): Promise<ServerSet> {
  const local = await startLocalSet({
    port: 0,
    apis: 1,
    worker: false,
    quiet: true,
    // The log alone: wallets and their network are measured elsewhere.
    sandbox: false,
    env: { HOLDFAST_RATE_LIMIT: 'off', ...env, ...INSPECTABLE },
  });
  const monitor = new Client({ connectionString: local.databaseUrl });
  await monitor.connect();
  const [api] = local.apis;
  if (api === undefined) throw new Error('no api process was started');
  return {
    local,
    api,
    monitor,
    startWorker: () => local.startWorker(),
    stop: async () => {
      await monitor.end().catch(() => undefined);
      await local.stop();
    },
  };
}

/** Where a process spends its time; ends with a table. */
export async function startProfile(pid: number): Promise<(window: Window) => Promise<string>> {
  const inspector = await inspect(pid);
  await inspector.startProfile();
  return async (window) => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-profile-'));
    try {
      const profile = JSON.stringify(await inspector.stopProfile());
      writeFileSync(join(folder, `CPU.${pid}.cpuprofile`), profile);
      return profileReport(folder, pid, [window], 25);
    } finally {
      inspector.close();
      rmSync(folder, { recursive: true });
    }
  };
}
