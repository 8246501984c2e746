//! Has the auditor look at what the run left: kills of the sequencer must not break a chain either.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const AUDITOR = join(import.meta.dirname, '..', 'auditor', 'main.ts');

/** What it found wrong, line by line. */
export async function findAuditFaults(databaseUrl: string): Promise<string[]> {
  const options = ['--conditions=@holdfast/source', AUDITOR, '--database', databaseUrl];
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [told, code] = await Promise.all([text(child.stdout), ended]);
  if (code === 0) return [];
  const wrong = told
    .split('\n')
    .filter((line) => line !== '' && !/^\S+\s+(ok|skipped) /.test(line));
  return [`the auditor ended with ${code}`, ...wrong];
}
