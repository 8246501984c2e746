//! `holdfast health`: whether the process in this container or on this machine is ready, for hosts
//! that check by a command.
import type { Command } from 'commander';
import { reasonOf } from '../doctor/check.ts';
import { does, type ProgramWorld } from './run.ts';

const RESPONSE_TIMEOUT_MS = 2000;
const INTERNAL_PORT = '4401';

export function healthCommand(world: ProgramWorld, program: Command): void {
  const health = program
    .command('health')
    .description('exit with 0 if the process at the internal port is ready, with 1 otherwise')
    .option('--live', 'only check that the process responds');
  does<{ live?: boolean }>(world, health, async ({ terminal }, { live }) => {
    const url = `${internalUrl(world.env)}/${live ? 'live' : 'ready'}`;
    const problem = await problemAt(url);
    if (terminal.isJson) terminal.printJson({ url, ok: problem === undefined });
    else if (problem !== undefined) terminal.printStderr(`${url}: ${problem}`);
    return problem === undefined ? 'ok' : 'failed';
  });
}

/** As the process itself is configured: it has the same environment. */
export function internalUrl(env: Readonly<Record<string, string | undefined>>): string {
  const { HOLDFAST_INTERNAL_HOST: host = '', HOLDFAST_INTERNAL_PORT: port } = env;
  const isEverywhere = ['', '0.0.0.0', '::'].includes(host);
  return `http://${isEverywhere ? '127.0.0.1' : host}:${port || INTERNAL_PORT}`;
}

async function problemAt(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
    await response.arrayBuffer();
    return response.ok ? undefined : `HTTP ${response.status}`;
  } catch (error) {
    return reasonOf(error);
  }
}
