//! The environment of the cells: one of each process, and workers that are replaced after a crash.
import { createTemporaryFolder } from '../../../apps/cli/src/temporary-folder.ts';
import { replaceDeadWorkers } from '../../harness/disruptions.ts';
import { openJournal } from '../../harness/journal.ts';
import { holdPayments } from '../../harness/sandbox.ts';
import * as harness from '../../harness/set.ts';
import { openIdleGate } from './idle-gate.ts';
import type { MatrixOptions } from './options.ts';

export type Environment = Awaited<ReturnType<typeof openEnvironment>>;

export function openEnvironment({ workers, webhooks, loud }: MatrixOptions) {
  /** The folder through which cells arm the workers' failpoints, one file per request. */
  const folder = createTemporaryFolder('holdfast-crash-matrix');
  const options: harness.SetOptions = {
    workers,
    sandbox: 'apart',
    hasWebhooks: webhooks,
    isLoud: loud,
    env: {
      ...harness.HIGH_LOAD,
      HOLDFAST_FAILPOINT: folder.path,
      HOLDFAST_RATE_LIMIT: 'off',
      // A PostgreSQL with the default hundred connections has room for other clients.
      HOLDFAST_POOL_SIZE: '8',
    },
  };
  return harness.openEnvironment(options, async (set, cleanup) => {
    cleanup.use(folder);
    await holdPayments(set.sandbox);
    const replaced = replaceDeadWorkers(set);
    cleanup.defer(replaced.end);
    return {
      failpoints: folder.path,
      network: harness.needed(set.network, 'network'),
      payments: harness.needed(set.payments, 'payment provider'),
      journal: openJournal(set.sandbox),
      idleGate: openIdleGate(),
      /** How many workers have died so far. */
      deaths: replaced.deaths,
    };
  });
}
