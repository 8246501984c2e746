//! Passwords: Argon2id, a few at a time. Hashing takes a core for tens of milliseconds on purpose,
//! so that whoever waits waits in a short line here and not in front of everybody else.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { refuse } from '@holdfast/contract/errors';

const hashArgon2 = promisify(argon2);

/** 19 MiB, two passes, one lane: the least that is advised for Argon2id. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
const SALT_BYTES = 16;
const PARAMETERS = `m=${COST.memory},t=${COST.passes},p=${COST.parallelism}`;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
/** Stands for the password of nobody: checking against it takes as long as any other. */
const NOBODY = `$argon2id$v=19$${PARAMETERS}$${base64(Buffer.alloc(SALT_BYTES, 1))}$${base64(Buffer.alloc(COST.tagLength, 1))}`;

const LINE_MAX = 32;

export class Passwords {
  readonly #atOnce: number;
  readonly #line: (() => void)[] = [];
  #busy = 0;

  /** Half the cores at most: the other half goes on answering. */
  constructor(atOnce: number = Math.max(1, Math.floor(availableParallelism() / 2))) {
    this.#atOnce = atOnce;
  }

  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const tag = await this.#inLine(() => derive(password, salt, COST));
    return `$argon2id$v=19$${PARAMETERS}$${base64(salt)}$${base64(tag)}`;
  }

  /** Takes as long for a stranger, whose hash is undefined. */
  async isRight(password: string, hash: string | undefined): Promise<boolean> {
    const [, memory, passes, parallelism, salt = '', tag = ''] = PHC.exec(hash ?? NOBODY) ?? [];
    const expected = Buffer.from(tag, 'base64');
    const cost = {
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      tagLength: expected.length,
    };
    const given = await this.#inLine(() => derive(password, Buffer.from(salt, 'base64'), cost));
    return timingSafeEqual(given, expected) && hash !== undefined;
  }

  async #inLine<T>(work: () => Promise<T>): Promise<T> {
    if (this.#busy >= this.#atOnce) {
      if (this.#line.length >= LINE_MAX)
        refuse('SERVICE_UNAVAILABLE', { reason: 'too many are logging in', retryAfter: 1 });
      await new Promise<void>((resolve) => this.#line.push(resolve));
    } else {
      this.#busy += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.#line.shift();
      if (next === undefined) this.#busy -= 1;
      else next();
    }
  }
}

async function derive(
  password: string,
  nonce: Buffer,
  cost: { memory: number; passes: number; parallelism: number; tagLength: number },
): Promise<Buffer> {
  const message = Buffer.from(password.normalize('NFC'), 'utf8');
  return hashArgon2('argon2id', { message, nonce, ...cost });
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
