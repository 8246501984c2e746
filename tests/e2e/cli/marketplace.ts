//! A running set, and the command line run in its folder.
import { join } from 'node:path';
import { prepareFolder, writeDevState } from '../../../apps/cli/src/dev/state-file.ts';
import { createTemporaryFolder } from '../../../apps/cli/src/temporary-folder.ts';
import { type } from '../../../apps/cli/src/testing/run-program.ts';
import { leaveOnePlatformAdmin } from '../../harness/people.ts';
import { openEnvironment } from '../../harness/set.ts';

export type Marketplace = Awaited<ReturnType<typeof openMarketplace>>;

export function openMarketplace() {
  return openEnvironment({ env: { HOLDFAST_RATE_LIMIT: 'off' } }, async ({ set }, cleanup) => {
    // The commands act with the master key, also where two platform admins would decide.
    await leaveOnePlatformAdmin(set.databaseUrl);
    const { path: folder } = cleanup.use(createTemporaryFolder('holdfast-cli'));
    prepareFolder(join(folder, '.holdfast'));
    writeDevState(join(folder, '.holdfast'), set);
    const typed = (line: string | readonly string[]) => type(line, { folder });
    return {
      folder,
      type: typed,
      /** The result of a command that must succeed, with --json. */
      read: async <T>(line: string) => {
        const { code, out, err } = await typed(`${line} --json`);
        if (code !== 0) throw new Error(`${line} ended with ${code}: ${err}`);
        return JSON.parse(out) as T;
      },
    };
  });
}
