//! A running set, and the command line typed in its folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareFolder, writeDevState } from '../../apps/cli/src/dev/state-file.ts';
import { type LocalSet, startLocalSet } from '../../apps/cli/src/local-set.ts';
import { type Typed, type } from '../../apps/cli/src/testing/run-program.ts';

export interface Marketplace {
  readonly set: LocalSet;
  readonly folder: string;
  type(line: string | readonly string[]): Promise<Typed>;
  /** The result of a command that must succeed, with --json. */
  read<T>(line: string): Promise<T>;
  stop(): Promise<void>;
}

export async function openMarketplace(): Promise<Marketplace> {
  const env = { HOLDFAST_RATE_LIMIT: 'off' };
  const set = await startLocalSet({ port: 0, quiet: true, env });
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-cli-'));
  prepareFolder(join(folder, '.holdfast'));
  writeDevState(join(folder, '.holdfast'), set);
  const typed = (line: string | readonly string[]) => type(line, { folder });
  return {
    set,
    folder,
    type: typed,
    read: async <T>(line: string) => {
      const { code, out, err } = await typed(`${line} --json`);
      if (code !== 0) throw new Error(`${line} ended with ${code}: ${err}`);
      return JSON.parse(out) as T;
    },
    stop: async () => {
      await set.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
