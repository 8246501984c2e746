//! One running set for all pages, with the demo of `holdfast dev` and the programs that pages call.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seedDemo } from '../../../apps/cli/src/scenarios/seed-demo.ts';
import { createTemporaryFolder } from '../../../apps/cli/src/temporary-folder.ts';
import { HOLDFAST } from '../../harness/command-line.ts';
import { createMarketplace } from '../../harness/people.ts';
import * as harness from '../../harness/set.ts';

export type Environment = Awaited<ReturnType<typeof openEnvironment>>;

const ENV = { HOLDFAST_RATE_LIMIT: 'off', HOLDFAST_RETURN_HOSTS: 'localhost,shop.example.com' };

export function openEnvironment() {
  return harness.openEnvironment({ env: ENV }, async ({ set: { ready } }, cleanup) => {
    /** A folder with `holdfast` in it, as an installation would put it on the PATH. */
    const { path: programs } = cleanup.use(createTemporaryFolder('holdfast-programs'));
    const script = `exec ${process.execPath} ${HOLDFAST.join(' ')} "$@"`;
    writeFileSync(join(programs, 'holdfast'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const { api, apiKey, sandbox = '' } = ready;
    await seedDemo({ api, apiKey, sandbox });
    return {
      ready,
      programs,
      openMarketplace: async () => {
        const scopes = ['read', 'write', 'support'];
        const { id, key } = await createMarketplace(ready, 'page', { scopes });
        return { apiKey: key, marketplaceId: id };
      },
    };
  });
}
