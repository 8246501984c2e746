//! One running set for all pages: a marketplace of its own for each, and programs they call.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOLDFAST } from '../harness/command-line.ts';
import { makeMarketplace } from '../harness/people.ts';
import * as harness from '../harness/set.ts';

export type Stage = Awaited<ReturnType<typeof openStage>>;

const ENV = { HOLDFAST_RATE_LIMIT: 'off', HOLDFAST_RETURN_HOSTS: 'localhost,shop.example.com' };

export function openStage() {
  return harness.openStage({ env: ENV }, async ({ set: { ready } }, begun) => {
    /** A folder with `holdfast` in it, as an installation would put it on the PATH. */
    const programs = mkdtempSync(join(tmpdir(), 'holdfast-programs-'));
    begun.defer(async () => rmSync(programs, { recursive: true }));
    const script = `exec ${process.execPath} ${HOLDFAST.join(' ')} "$@"`;
    writeFileSync(join(programs, 'holdfast'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return {
      ready,
      programs,
      /** The text with the addresses of this set in the place of those that pages name. */
      moved: (text: string) => text.replaceAll('http://127.0.0.1:4400', ready.api),
      openMarketplace: async () => {
        const scopes = ['read', 'write', 'support'];
        const { id, key } = await makeMarketplace(ready, 'page', { scopes });
        return { apiKey: key, marketplaceId: id };
      },
    };
  });
}
