//! Creates the demo marketplace of a first run, while the user already reads the screen.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { postApi, type Readiness } from '../local-readiness.ts';
import { seedDemo } from '../scenarios/seed-demo.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { spanText } from '../terminal/words.ts';

/** With `keptIn`, once for all runs of that folder. Gives what there is to say about it. */
export async function seedOnce(
  terminal: Terminal,
  ready: Readiness,
  stateFolder: string | undefined,
): Promise<string[]> {
  const mark = stateFolder === undefined ? undefined : join(stateFolder, 'seeded');
  const { api, sandbox } = ready;
  if (sandbox === undefined || (mark !== undefined && existsSync(mark))) return [];
  const startedAt = performance.now();
  try {
    const { orders, payments } = await seedDemo({
      api,
      sandbox,
      apiKey: await ownKey(ready),
      onProgress: (done, of, part) =>
        terminal.progress.show(`creating demo data: ${done} of ${of}, ${part}`),
    });
    if (mark !== undefined) writeFileSync(mark, '');
    const took = spanText(performance.now() - startedAt);
    return [`  Demo data created: ${orders} orders, ${payments} payments (${took}).`];
  } catch (error) {
    return [`  Demo data could not be created: ${(error as Error).message}`];
  } finally {
    terminal.progress.clear();
  }
}

/** A key of its own: the demo does not use up the rate limit of the user's key. */
async function ownKey({ api, masterKey, marketplaceId }: Readiness): Promise<string> {
  const scopes = ['read', 'write', 'support'];
  const created = await postApi(api, masterKey, '/auth/api-keys', {
    name: 'Demo',
    scopes,
    marketplaceId,
  });
  return created['key'] as string;
}
