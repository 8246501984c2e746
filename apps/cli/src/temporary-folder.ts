//! A folder that goes with what was started in it, or at the latest with this process.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

const RETRIES = { maxRetries: 3, retryDelay: 50 };

export function makeTemporaryFolder(name: string, under = tmpdir()): TemporaryFolder {
  const path = mkdtempSync(join(under, `${name}-`));
  const remove = () => {
    process.off('exit', removeAtExit);
    rmSync(path, { recursive: true, force: true, ...RETRIES });
  };
  const removeAtExit = () => {
    try {
      remove();
    } catch {
      // Whoever writes there is just being killed, and the machine tidies its own folder.
    }
  };
  process.on('exit', removeAtExit);
  return { path, remove };
}
