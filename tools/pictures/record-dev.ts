//! Records the output of a real `holdfast dev` with a released order, from the package as a user
//! installs it, without secrets and without addresses that differ from run to run.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTemporaryFolder } from '../../apps/cli/src/temporary-folder.ts';
import { installHere } from '../../tests/e2e/quickstart/install-here.ts';
import { createPath, openTerminal, userEnvironment } from '../../tests/e2e/quickstart/shell.ts';
import { buildMissing } from '../pack/sites.ts';
import { pack } from '../pack.ts';

const START_MS_MAX = 180_000;
const COMMAND_MS_MAX = 60_000;
const EVENT_LINES = 9;
/** The events that follow show that the demo is complete. */
const DEMO_READY = /\bexplain ord_\w+/;

interface DevFile {
  readonly api: string;
  readonly apiKey: string;
  readonly operators: readonly { readonly email: string }[];
}

export async function recordDev(): Promise<string> {
  using home = createTemporaryFolder('holdfast-pictures');
  buildMissing();
  const folder = join(home.path, 'shop');
  mkdirSync(folder);
  installHere(folder, await pack(join(home.path, 'tarballs')));
  const path = createPath(join(home.path, 'bin'));
  // Without the warnings that npm has about the settings of this machine.
  const env = { FORCE_COLOR: '1', NO_COLOR: '', npm_config_loglevel: 'error' };
  const setup = { folder, env: userEnvironment(path, env) };
  const dev = openTerminal('npx holdfast dev --port 0 --postgres embedded', setup);
  try {
    await dev.shows(DEMO_READY, START_MS_MAX);
    const state = JSON.parse(readFileSync(join(folder, '.holdfast/dev.json'), 'utf8')) as DevFile;
    const trigger = openTerminal('npx holdfast trigger order.released', setup);
    await trigger.ends(COMMAND_MS_MAX);
    const [orderId = ''] = /ord_\w+/.exec(trigger.output()) ?? [];
    await dev.shows(new RegExp(`order\\.released\\s+${orderId}`), COMMAND_MS_MAX);
    return excerpt(dev.output(), state, orderId);
  } finally {
    await dev.interrupt();
  }
}

/** The start, the addresses, and the events of one order. */
function excerpt(output: string, { api, apiKey, operators }: DevFile, orderId: string): string {
  const lines = output.trimEnd().split('\n');
  const events = lines.filter((line) => isEvent(line) && line.includes(orderId));
  const paragraphs = lines
    .filter((line) => !isEvent(line))
    .join('\n')
    .split(/\n\s*\n/);
  const isSecret = (paragraph: string) =>
    operators.some(({ email }) => paragraph.includes(email)) ||
    (paragraph.includes(apiKey) && paragraph.includes('Bearer'));
  // The line above a secret introduces it.
  const open = paragraphs.filter(
    (paragraph, at) => !isSecret(paragraph) && !isSecret(paragraphs[at + 1] ?? ''),
  );
  return [...open, events.slice(-EVENT_LINES).join('\n')]
    .join('\n\n')
    .replaceAll(apiKey, `${apiKey.slice(0, 20)}…`)
    .replaceAll(api, 'http://127.0.0.1:4400');
}

function isEvent(line: string): boolean {
  return /\d\d:\d\d:\d\d\.\d{3}/.test(line);
}
