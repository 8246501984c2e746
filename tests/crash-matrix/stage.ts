//! Where cells run: one of everything, and workers that die and are replaced.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJournal } from '../harness/journal.ts';
import * as harness from '../harness/set.ts';
import { replaceTheDead } from '../harness/strikes.ts';
import { calmAmongCells } from './calm.ts';
import type { MatrixOptions } from './options.ts';

export type Stage = Awaited<ReturnType<typeof openStage>>;

export function openStage({ workers, webhooks, loud }: MatrixOptions) {
  /** What the workers' failpoints are told, request by request. */
  const failpoints = mkdtempSync(join(tmpdir(), 'holdfast-crash-matrix-'));
  const wishes: harness.SetWishes = {
    workers,
    sandbox: 'apart',
    hasWebhooks: webhooks,
    isLoud: loud,
    env: {
      ...harness.CROWDED,
      HOLDFAST_FAILPOINT: failpoints,
      HOLDFAST_RATE_LIMIT: 'off',
      // A PostgreSQL with its usual hundred connections has room for others beside this.
      HOLDFAST_POOL_SIZE: '8',
    },
  };
  return harness.openStage(wishes, async (set, begun) => {
    begun.defer(async () => rmSync(failpoints, { recursive: true, force: true }));
    const replaced = replaceTheDead(set);
    begun.defer(replaced.end);
    return {
      failpoints,
      network: harness.needed(set.network, 'network'),
      journal: openJournal(set.sandbox),
      calm: calmAmongCells(),
      /** How many workers have died so far. */
      deaths: replaced.deaths,
    };
  });
}
