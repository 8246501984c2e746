//! Runs the auditor after a test run, in its own process, as an operator would.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';

export interface Audited {
  readonly isClean: boolean;
  /** Its whole output; the last line of that; and the lines about faults. */
  readonly output: string;
  readonly summary: string;
  readonly faults: readonly string[];
}

const AUDITOR = join(import.meta.dirname, 'main.ts');

/** Options as `npm run audit:books` takes them. */
export async function runAuditor(options: readonly string[]): Promise<Audited> {
  const child = spawn(process.execPath, ['--conditions=@holdfast/source', AUDITOR, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [output, code] = await Promise.all([text(child.stdout), ended]);
  const lines = output.trimEnd().split('\n');
  const faults = lines.filter((line) => line !== '' && !/^\S+\s+(passed|skipped) /.test(line));
  return {
    isClean: code === 0,
    output,
    summary: `${lines.at(-1) ?? ''}, exit ${code}`,
    faults: code === 0 ? [] : [`the auditor exited with ${code}`, ...faults],
  };
}
