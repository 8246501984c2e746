//! The environment of the cells: one of each process, and workers that are replaced after a crash.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replaceDeadWorkers } from '../harness/disruptions.ts';
import { openJournal } from '../harness/journal.ts';
import * as harness from '../harness/set.ts';
import { openIdleGate } from './idle-gate.ts';
import type { MatrixOptions } from './options.ts';

export type Environment = Awaited<ReturnType<typeof openEnvironment>>;

export function openEnvironment({ workers, webhooks, loud }: MatrixOptions) {
  /** The folder through which cells arm the workers' failpoints, one file per request. */
  const failpoints = mkdtempSync(join(tmpdir(), 'holdfast-crash-matrix-'));
  const options: harness.SetOptions = {
    workers,
    sandbox: 'apart',
    hasWebhooks: webhooks,
    isLoud: loud,
    env: {
      ...harness.HIGH_LOAD,
      HOLDFAST_FAILPOINT: failpoints,
      HOLDFAST_RATE_LIMIT: 'off',
      // A PostgreSQL with the default hundred connections has room for other clients.
      HOLDFAST_POOL_SIZE: '8',
    },
  };
  return harness.openEnvironment(options, async (set, cleanup) => {
    cleanup.defer(async () => rmSync(failpoints, { recursive: true, force: true }));
    const replaced = replaceDeadWorkers(set);
    cleanup.defer(replaced.end);
    return {
      failpoints,
      network: harness.needed(set.network, 'network'),
      journal: openJournal(set.sandbox),
      idleGate: openIdleGate(),
      /** How many workers have died so far. */
      deaths: replaced.deaths,
    };
  });
}
