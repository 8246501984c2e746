//! Passwords: Argon2id, a few at a time. Hashing takes a core for tens of milliseconds on purpose,
//! so logins wait in short queues here instead of delaying other requests. Each kind of caller has
//! its own queue, and free slots go to the queues in turn: a flood of one kind delays no other.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { refuse } from '@holdfast/contract/errors';
import { refuseField } from '@holdfast/contract/validation';
import { isKnownPassword } from './known-passwords.ts';
import { type Cost, PasswordThread } from './password-thread.ts';

/** 19 MiB, two passes, one lane: the recommended minimum for Argon2id. */
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const SALT_BYTES = 16;
const PARAMETERS = `m=${COST.memory},t=${COST.passes},p=${COST.parallelism}`;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
/** Used for unknown accounts: checking against it takes as long as checking a real hash. */
const DUMMY_HASH = `$argon2id$v=19$${PARAMETERS}$${base64(Buffer.alloc(SALT_BYTES, 1))}$${base64(Buffer.alloc(COST.tagLength, 1))}`;

const STRICT_LENGTH_MIN = 12;

const QUEUE_MAX = 32;

/** Known devices have queues of their own, which outsiders cannot fill. */
const LINES = ['known-operator', 'operator', 'known-member', 'member', 'registration'] as const;
export type PasswordLine = (typeof LINES)[number];

export interface QueuePosition {
  readonly line: PasswordLine;
  /** An address, or the account of a known device: few requests of each may wait at a time. */
  readonly from: string;
}

/** Password functions for the current holder of a hashing slot. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Takes as long for an unknown account, whose hash is undefined. */
  verify(password: string, hash: string | undefined): Promise<boolean>;
}

interface Waiting {
  readonly from: string;
  readonly start: () => void;
}

export interface PasswordSettings {
  /** New passwords have twelve characters or more and are not among the known ones. */
  readonly isStrict: boolean;
  /** How many requests of one address may wait. */
  readonly waitingPerAddress: number;
  /** Half the cores at most: the other half continues to serve requests. */
  readonly atOnce?: number;
}

export class Passwords {
  readonly #atOnce: number;
  readonly #waitingPerAddress: number;
  readonly #isStrict: boolean;
  readonly #lines = new Map<PasswordLine, Waiting[]>(LINES.map((line) => [line, []]));
  readonly #waitingFrom = new Map<string, number>();
  readonly #threads: PasswordThread[] = [];
  #busy = 0;

  constructor({ isStrict, waitingPerAddress, atOnce }: PasswordSettings) {
    this.#isStrict = isStrict;
    this.#waitingPerAddress = waitingPerAddress;
    this.#atOnce = atOnce ?? Math.max(1, Math.floor(availableParallelism() / 2));
  }

  /** Refuses a new password that is too easy to guess; the schema has checked the rest. */
  checkNew(field: string, password: string): void {
    if (!this.#isStrict) return;
    if (password.length < STRICT_LENGTH_MIN)
      refuseField(field, 'length', `${field} must have at least ${STRICT_LENGTH_MIN} characters`);
    if (isKnownPassword(password))
      refuseField(field, 'format', `${field} is among the passwords that attackers try first`);
  }

  /**
   * Runs the work when a slot is free, and refuses it at once when its queue is full. Database
   * reads for the work belong inside it, so that a flood costs no queries.
   */
  async withHasher<T>(
    position: QueuePosition,
    work: (hasher: PasswordHasher) => Promise<T>,
  ): Promise<T> {
    if (this.#busy >= this.#atOnce) await this.#wait(position);
    else this.#busy += 1;
    const thread = this.#threads.pop() ?? new PasswordThread();
    try {
      return await work(hasherOn(thread));
    } finally {
      if (thread.isAlive) this.#threads.push(thread);
      const next = this.#takeNext();
      if (next === undefined) this.#busy -= 1;
      else next.start();
    }
  }

  async #wait({ line, from }: QueuePosition): Promise<void> {
    const queue = this.#lines.get(line) ?? [];
    const waiting = this.#waitingFrom.get(from) ?? 0;
    if (queue.length >= QUEUE_MAX || waiting >= this.#waitingPerAddress)
      refuse('SERVICE_UNAVAILABLE', { reason: 'too many sign-ins in progress', retryAfter: 1 });
    this.#waitingFrom.set(from, waiting + 1);
    await new Promise<void>((start) => queue.push({ from, start }));
  }

  /** The first of the next queue. A queue that was served goes behind the others. */
  #takeNext(): Waiting | undefined {
    for (const [line, queue] of this.#lines) {
      const next = queue.shift();
      if (next === undefined) continue;
      this.#lines.delete(line);
      this.#lines.set(line, queue);
      const left = (this.#waitingFrom.get(next.from) ?? 1) - 1;
      if (left === 0) this.#waitingFrom.delete(next.from);
      else this.#waitingFrom.set(next.from, left);
      return next;
    }
    return undefined;
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
