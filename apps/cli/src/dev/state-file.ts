//! The state files of a running set: `.holdfast/dev.json` with its addresses and keys for our own
//! commands, `.holdfast/dev.env` for `node --env-file`.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listenSecret } from '../listen/secret-file.ts';
import type { Readiness } from '../local-readiness.ts';
import { createStateFolder } from '../local-secrets.ts';
import type { LocalSet } from '../local-set.ts';

export interface DevState extends Readiness {
  /** Of the `holdfast dev` that wrote it. */
  readonly pid: number;
  /** What the processes of the set were started with. */
  readonly settings: Readonly<Record<string, string>>;
}

const fileIn = (folder: string) => join(folder, 'dev.json');
const variablesIn = (folder: string) => join(folder, 'dev.env');

/** The set that runs in this folder; undefined when none does. */
export function readDevState(folder: string): DevState | undefined {
  if (!existsSync(fileIn(folder))) return undefined;
  try {
    const state = JSON.parse(readFileSync(fileIn(folder), 'utf8')) as DevState;
    return isAlive(state.pid) ? state : undefined;
  } catch {
    return undefined;
  }
}

/** Before anything secret is in the folder it says that git shall not have it. */
export function prepareFolder(folder: string): void {
  createStateFolder(folder);
  const ignored = join(folder, '.gitignore');
  if (!existsSync(ignored)) writeFileSync(ignored, '*\n');
}

export function writeDevState(
  folder: string,
  { ready, settings }: Pick<LocalSet, 'ready' | 'settings'>,
): void {
  const state: DevState = { ...ready, pid: process.pid, settings };
  writeSecret(fileIn(folder), `${JSON.stringify(state, null, 2)}\n`);
  const variables = Object.entries(variablesOf(ready, dirname(folder)));
  writeSecret(variablesIn(folder), variables.map(([name, to]) => `${name}=${to}\n`).join(''));
}

/** What the SDK and a handler of webhooks read from their environment. */
function variablesOf(
  { api, apiKey, sandbox }: Readiness,
  workingFolder: string,
): Record<string, string> {
  return {
    HOLDFAST_URL: api,
    HOLDFAST_API_KEY: apiKey,
    ...(sandbox === undefined ? {} : { HOLDFAST_SANDBOX_URL: sandbox }),
    // With which `holdfast listen` signs what it forwards.
    HOLDFAST_WEBHOOK_SECRET: listenSecret(workingFolder),
  };
}

function writeSecret(path: string, text: string): void {
  // Removed first: a file that is there would keep the rights that it has.
  rmSync(path, { force: true });
  writeFileSync(path, text, { mode: 0o600 });
}

/** Unless another set has put its own in the meantime. */
export function removeDevState(folder: string): void {
  if (readDevState(folder)?.pid !== process.pid) return;
  for (const path of [fileIn(folder), variablesIn(folder)]) rmSync(path, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
