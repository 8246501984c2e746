//! The demo marketplace of a first run, set up while whoever started it is already reading.
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
  keptIn: string | undefined,
): Promise<string[]> {
  const mark = keptIn === undefined ? undefined : join(keptIn, 'seeded');
  const { api, sandbox } = ready;
  if (sandbox === undefined || (mark !== undefined && existsSync(mark))) return [];
  const begunAt = performance.now();
  try {
    const { orders, payments } = await seedDemo({
      api,
      sandbox,
      apiKey: await ownKey(ready),
      onProgress: (done, of, part) =>
        terminal.progress.show(`demo marketplace: ${done} of ${of}, ${part}`),
    });
    if (mark !== undefined) writeFileSync(mark, '');
    const took = spanText(performance.now() - begunAt);
    return [
      `  The demo marketplace is set up: ${orders} orders, ${payments} payments, in ${took}.`,
    ];
  } catch (error) {
    return [`  The demo could not be set up: ${(error as Error).message}`];
  } finally {
    terminal.progress.clear();
  }
}

/** The demo does not eat up what the person's key may ask in a minute. */
async function ownKey({ api, masterKey, marketplaceId }: Readiness): Promise<string> {
  const scopes = ['read', 'write', 'support'];
  const made = await postApi(api, masterKey, '/auth/api-keys', {
    name: 'Demo',
    scopes,
    marketplaceId,
  });
  return made['key'] as string;
}
