//! Named places at which a process can be made to die, so that tests know what a death there costs.
import { AsyncLocalStorage } from 'node:async_hooks';
import { appendFileSync, readFileSync, unlinkSync } from 'node:fs';

type Watch = (name: string) => void;

let watch: Watch | undefined;
const requests = new AsyncLocalStorage<string>();

/** Nothing at all, unless somebody watches. */
export function failpoint(name: string): void {
  watch?.(name);
}

/** Whatever the work passes is passed for this request: a folder arms places request by request. */
export function passFor<T>(requestId: string, work: () => Promise<T>): Promise<T> {
  return watch === undefined ? work() : requests.run(requestId, work);
}

/** Told of every place that is passed, and may throw there. Undefined ends it. */
export function watchFailpoints(next: Watch | undefined): void {
  watch = next;
}

/**
 * Dies at that place as if the machine had gone: no handler runs, nothing is flushed. An absolute
 * path is a folder that says where, while the process runs.
 */
export function armFailpoint(place: string): void {
  watchFailpoints(place.startsWith('/') ? armedIn(place) : armedAt(place));
}

function armedAt(place: string): Watch {
  return (passed) => {
    if (passed === place) die();
  };
}

/**
 * `<request id>` in the folder names the place at which whoever works for that request dies, once:
 * the file goes with its process. `<request id>.passed` lists what was passed for it.
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

/** Of two who pass the place for one request, one takes the file. */
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
