//! A temporary folder that is removed with its processes, or at the latest after this process.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder extends Disposable {
  readonly path: string;
  remove(): void;
}

const RETRIES = { maxRetries: 3, retryDelay: 50 };
/** With retries: the processes that write there are just being killed. */
const REMOVE_LATER = `require('node:fs').rmSync(process.argv[1],
  { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })`;

export function createTemporaryFolder(name: string, under = tmpdir()): TemporaryFolder {
  const path = mkdtempSync(join(under, `${name}-`));
  const removeAtExit = () => removeLater(path);
  process.on('exit', removeAtExit);
  const remove = () => {
    process.off('exit', removeAtExit);
    rmSync(path, { recursive: true, force: true, ...RETRIES });
  };
  return { path, remove, [Symbol.dispose]: remove };
}

/** By another process: on a busy disk it takes seconds, and the exit does not wait for it. */
function removeLater(path: string): void {
  const how = { detached: true, stdio: 'ignore', cwd: tmpdir() } as const;
  spawn(process.execPath, ['-e', REMOVE_LATER, path], how).unref();
}
