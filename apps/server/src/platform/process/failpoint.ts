//! Named crash points at which a process can be killed, so that tests know the effect of a crash
//! there.
import { AsyncLocalStorage } from 'node:async_hooks';
import { appendFileSync, readFileSync, unlinkSync } from 'node:fs';

type Watch = (name: string) => void;

let watch: Watch | undefined;
const owners = new AsyncLocalStorage<readonly string[]>();

/** Does nothing unless a watcher is set. */
export function failpoint(name: string): void {
  watch?.(name);
}

/**
 * Attributes the crash points that the work passes to its owners: a folder arms them per owner. A
 * request owns the work of its operation; that of a background job belongs to the records it is on.
 */
export function passFor<T>(ids: readonly string[], work: () => Promise<T>): Promise<T> {
  return watch === undefined ? work() : owners.run(ids, work);
}

/** The watcher is called at every crash point passed, and may throw there. Undefined removes it. */
export function watchFailpoints(next: Watch | undefined): void {
  watch = next;
}

/**
 * Kills the process at that crash point as if the machine had failed: no handler runs, nothing is
 * flushed. An absolute path is a folder that names crash points while the process runs.
 */
export function armFailpoint(crashPoint: string): void {
  watchFailpoints(crashPoint.startsWith('/') ? armedIn(crashPoint) : armedAt(crashPoint));
}

function armedAt(crashPoint: string): Watch {
  return (passed) => {
    if (passed === crashPoint) die();
  };
}

/**
 * `<owner>` in the folder names the crash point at which the process working for that owner dies,
 * once: the dying process removes the file. `<owner>.passed` lists the crash points passed for it.
 */
function armedIn(folder: string): Watch {
  return (passed) => {
    const files = (owners.getStore() ?? [])
      .filter((owner) => /^[\w-]+$/.test(owner))
      .map((owner) => `${folder}/${owner}`);
    for (const file of files) appendFileSync(`${file}.passed`, `${passed}\n`);
    for (const file of files) if (isOurs(file, passed)) return die();
  };
}

/** When two processes pass the crash point for one owner, only one takes the file. */
function isOurs(file: string, passed: string): boolean {
  try {
    if (readFileSync(file, 'utf8') !== passed) return false;
    unlinkSync(file);
    return true;
  } catch {
    return false;
  }
}

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}
