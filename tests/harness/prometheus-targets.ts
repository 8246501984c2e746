//! Publishes the internal ports of a set's processes to a Prometheus, as files that it reads.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerProcess } from '../../apps/cli/src/local-set.ts';

export type Targets = Readonly<Record<'api' | 'worker', readonly ServerProcess[]>>;

/** Names the folder to which a set publishes its targets. */
export const TARGETS_FOLDER = 'PROMETHEUS_TARGETS';

const EVERY_MS = 300;

/** The setting that a set needs to be scraped; nothing where no folder is named. */
export function scrapedEnvironment(): Record<string, string> {
  return process.env[TARGETS_FOLDER] === undefined ? {} : { HOLDFAST_INTERNAL_PORT: '0' };
}

/** Until it is disposed of: the successor of a killed process has another port. */
export function publishTargets(targets: Targets): Disposable {
  const folder = process.env[TARGETS_FOLDER];
  if (folder === undefined) return { [Symbol.dispose]: () => undefined };
  writeTargets(folder, targets);
  const timer = setInterval(() => writeTargets(folder, targets), EVERY_MS);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** In one step: Prometheus must not read half of a file. */
export function writeTargets(folder: string, targets: Targets): void {
  for (const [job, processes] of Object.entries(targets)) {
    const list = processes.map(({ readyInfo }, at) => ({
      targets: [new URL(String(readyInfo['internal'])).host],
      labels: { instance: `${job} ${at + 1}` },
    }));
    writeFileSync(join(folder, `${job}.json.new`), JSON.stringify(list));
    renameSync(join(folder, `${job}.json.new`), join(folder, `${job}.json`));
  }
}
