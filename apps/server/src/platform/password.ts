//! Passwords: Argon2id, a few at a time. Hashing takes a core for tens of milliseconds on purpose,
//! so that whoever waits waits in a short line here and not in front of everybody else.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { refuse } from '@holdfast/contract/errors';
import { type Cost, PasswordThread } from './password-thread.ts';

/** 19 MiB, two passes, one lane: the least that is advised for Argon2id. */
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const SALT_BYTES = 16;
const PARAMETERS = `m=${COST.memory},t=${COST.passes},p=${COST.parallelism}`;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
/** Stands for the password of nobody: checking against it takes as long as any other. */
const NOBODY = `$argon2id$v=19$${PARAMETERS}$${base64(Buffer.alloc(SALT_BYTES, 1))}$${base64(Buffer.alloc(COST.tagLength, 1))}`;

const LINE_MAX = 32;

/** What may be done with a password by whoever's turn it is. */
export interface Turn {
  hash(password: string): Promise<string>;
  /** Takes as long for a stranger, whose hash is undefined. */
  isRight(password: string, hash: string | undefined): Promise<boolean>;
}

export class Passwords {
  readonly #atOnce: number;
  readonly #line: (() => void)[] = [];
  readonly #threads: PasswordThread[] = [];
  #busy = 0;

  /** Half the cores at most: the other half goes on answering. */
  constructor(atOnce: number = Math.max(1, Math.floor(availableParallelism() / 2))) {
    this.#atOnce = atOnce;
  }

  /**
   * Does the work when it is its turn, and turns it away at once when the line is full: what else
   * it needs, such as a look into the database, is done inside, so that a flood costs no looks.
   */
  async inTurn<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    if (this.#busy >= this.#atOnce) {
      if (this.#line.length >= LINE_MAX)
        refuse('SERVICE_UNAVAILABLE', { reason: 'too many are logging in', retryAfter: 1 });
      await new Promise<void>((resolve) => this.#line.push(resolve));
    } else {
      this.#busy += 1;
    }
    const thread = this.#threads.pop() ?? new PasswordThread();
    try {
      return await work(turnOn(thread));
    } finally {
      if (thread.isAlive) this.#threads.push(thread);
      const next = this.#line.shift();
      if (next === undefined) this.#busy -= 1;
      else next();
    }
  }
}

function turnOn(thread: PasswordThread): Turn {
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const tag = await thread.derive(password, salt, COST);
      return `$argon2id$v=19$${PARAMETERS}$${base64(salt)}$${base64(tag)}`;
    },
    async isRight(password, hash) {
      const [, memory, passes, parallelism, salt = '', tag = ''] = PHC.exec(hash ?? NOBODY) ?? [];
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
