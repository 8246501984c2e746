//! One running set for all pages: a marketplace of its own for each, and programs they call.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalSet } from '../../apps/cli/src/local-set.ts';
import { makeMarketplace } from '../harness/people.ts';
import { ROOT } from './pages.ts';

export interface Stage {
  readonly ready: Awaited<ReturnType<typeof startLocalSet>>['ready'];
  /** A folder with `holdfast` in it, as an installation would put it on the PATH. */
  readonly programs: string;
  openMarketplace(): Promise<{ readonly apiKey: string; readonly marketplaceId: string }>;
  /** The text with the addresses of this set in the place of those that pages name. */
  moved(text: string): string;
  stop(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const set = await startLocalSet({
    port: 0,
    quiet: true,
    env: { HOLDFAST_RATE_LIMIT: 'off', HOLDFAST_RETURN_HOSTS: 'localhost,shop.example.com' },
  });
  const { ready } = set;
  const programs = mkdtempSync(join(tmpdir(), 'holdfast-programs-'));
  const main = join(ROOT, 'apps/cli/src/main.ts');
  writeFileSync(
    join(programs, 'holdfast'),
    `#!/bin/sh\nexec ${process.execPath} --conditions=@holdfast/source ${main} "$@"\n`,
  );
  chmodSync(join(programs, 'holdfast'), 0o755);
  return {
    ready,
    programs,
    moved: (text) => text.replaceAll('http://127.0.0.1:4400', ready.api),
    openMarketplace: async () => {
      const scopes = ['read', 'write', 'support'];
      const { id, key } = await makeMarketplace(ready, 'page', { scopes });
      return { apiKey: key, marketplaceId: id };
    },
    stop: async () => {
      await set.stop();
      rmSync(programs, { recursive: true });
    },
  };
}
