//! A low-priority thread that hashes passwords: under a flood of logins, other requests do not wait
//! for the core that hashing uses.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

export interface Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly tagLength: number;
}

export interface HashRequest {
  readonly message: Uint8Array;
  readonly nonce: Uint8Array;
  readonly cost: Cost;
}

/** The same file, as source and as built. */
const THREAD = new URL(`./password-thread-main${extname(import.meta.url)}`, import.meta.url);

/** One request at a time: the holder of the thread waits for the result before the next. */
export class PasswordThread {
  readonly #worker = new Worker(THREAD);
  isAlive = true;

  constructor() {
    // An exiting process does not wait for the thread.
    this.#worker.unref();
    this.#worker.once('exit', () => {
      this.isAlive = false;
    });
  }

  async derive(password: string, nonce: Buffer, cost: Cost): Promise<Buffer> {
    const message = Buffer.from(password.normalize('NFC'), 'utf8');
    return new Promise((resolve, reject) => {
      const worker = this.#worker;
      const settle = (after: () => void) => {
        worker.removeAllListeners('message').removeAllListeners('error').unref();
        after();
      };
      worker.ref();
      worker.once('message', (tag: Uint8Array) => settle(() => resolve(Buffer.from(tag))));
      worker.once('error', (error) => settle(() => reject(error)));
      worker.postMessage({ message, nonce, cost } satisfies HashRequest);
    });
  }
}
