//! A thread that hashes passwords and gives way to every other: under a flood of logins the answers
//! to everybody else do not wait for the core that hashing wants.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

export interface Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly tagLength: number;
}

export interface HashOrder {
  readonly message: Uint8Array;
  readonly nonce: Uint8Array;
  readonly cost: Cost;
}

/** The same file, as source and as built. */
const THREAD = new URL(`./password-thread-main${extname(import.meta.url)}`, import.meta.url);

/** One order at a time: whoever holds the thread waits for the answer before the next. */
export class PasswordThread {
  readonly #worker = new Worker(THREAD);
  isAlive = true;

  constructor() {
    // A process that ends does not wait for it.
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
      worker.postMessage({ message, nonce, cost } satisfies HashOrder);
    });
  }
}
