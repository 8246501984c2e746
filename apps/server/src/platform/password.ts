//! Passwords: Argon2id, a few at a time. Hashing takes a core for tens of milliseconds on purpose,
//! so logins wait in a short queue here instead of delaying other requests.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { refuse } from '@holdfast/contract/errors';
import { type Cost, PasswordThread } from './password-thread.ts';

/** 19 MiB, two passes, one lane: the recommended minimum for Argon2id. */
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const SALT_BYTES = 16;
const PARAMETERS = `m=${COST.memory},t=${COST.passes},p=${COST.parallelism}`;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
/** Used for unknown accounts: checking against it takes as long as checking a real hash. */
const DUMMY_HASH = `$argon2id$v=19$${PARAMETERS}$${base64(Buffer.alloc(SALT_BYTES, 1))}$${base64(Buffer.alloc(COST.tagLength, 1))}`;

const QUEUE_MAX = 32;

/** Password functions for the current holder of a hashing slot. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Takes as long for an unknown account, whose hash is undefined. */
  verify(password: string, hash: string | undefined): Promise<boolean>;
}

export class Passwords {
  readonly #atOnce: number;
  readonly #line: (() => void)[] = [];
  readonly #threads: PasswordThread[] = [];
  #busy = 0;

  /** Half the cores at most: the other half continues to serve requests. */
  constructor(atOnce: number = Math.max(1, Math.floor(availableParallelism() / 2))) {
    this.#atOnce = atOnce;
  }

  /**
   * Runs the work when a slot is free, and refuses it at once when the queue is full. Database
   * reads for the work belong inside it, so that a flood costs no queries.
   */
  async withHasher<T>(work: (hasher: PasswordHasher) => Promise<T>): Promise<T> {
    if (this.#busy >= this.#atOnce) {
      if (this.#line.length >= QUEUE_MAX)
        refuse('SERVICE_UNAVAILABLE', { reason: 'too many sign-ins in progress', retryAfter: 1 });
      await new Promise<void>((resolve) => this.#line.push(resolve));
    } else {
      this.#busy += 1;
    }
    const thread = this.#threads.pop() ?? new PasswordThread();
    try {
      return await work(hasherOn(thread));
    } finally {
      if (thread.isAlive) this.#threads.push(thread);
      const next = this.#line.shift();
      if (next === undefined) this.#busy -= 1;
      else next();
    }
  }
}

function hasherOn(thread: PasswordThread): PasswordHasher {
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const tag = await thread.derive(password, salt, COST);
      return `$argon2id$v=19$${PARAMETERS}$${base64(salt)}$${base64(tag)}`;
    },
    async verify(password, hash) {
      const [, memory, passes, parallelism, salt = '', tag = ''] =
        PHC.exec(hash ?? DUMMY_HASH) ?? [];
      const expected = Buffer.from(tag, 'base64');
      const given = await thread.derive(password, Buffer.from(salt, 'base64'), {
        memory: Number(memory),
        passes: Number(passes),
        parallelism: Number(parallelism),
        tagLength: expected.length,
      });
      return timingSafeEqual(given, expected) && hash !== undefined;
    },
  };
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
