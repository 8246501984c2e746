//! Named crash points at which a process can be killed, so that tests know the effect of a crash
//! there.
import { AsyncLocalStorage } from 'node:async_hooks';
import { appendFileSync, readFileSync, unlinkSync } from 'node:fs';

type Watch = (name: string) => void;

let watch: Watch | undefined;
const requests = new AsyncLocalStorage<string>();

/** Does nothing unless a watcher is set. */
export function failpoint(name: string): void {
  watch?.(name);
}

/**
 * Attributes the crash points that the work passes to this request: a folder arms them per request.
 */
export function passFor<T>(requestId: string, work: () => Promise<T>): Promise<T> {
  return watch === undefined ? work() : requests.run(requestId, work);
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
 * `<request id>` in the folder names the crash point at which the process working for that request
 * dies, once: the dying process removes the file. `<request id>.passed` lists the crash points
 * passed for it.
 */
function armedIn(folder: string): Watch {
  return (passed) => {
    const requestId = requests.getStore();
    if (requestId === undefined || !/^[\w-]+$/.test(requestId)) return;
    const file = `${folder}/${requestId}`;
    appendFileSync(`${file}.passed`, `${passed}\n`);
    if (isOurs(file, passed)) die();
  };
}

/** When two processes pass the crash point for one request, only one takes the file. */
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
