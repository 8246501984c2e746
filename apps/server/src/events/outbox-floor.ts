//! Below which number nothing of the outbox can still appear, so that nobody looks there again.
//!
//! While an old snapshot is open anywhere, such as a backup's, PostgreSQL can't clear taken rows
//! away, and every look at the outbox from its beginning would step over all of them. Numbers are
//! handed out before commit, so the highest one read says nothing by itself. But whoever holds a
//! number holds the lock of an inserting transaction on the table, from before it got the number:
//! once all who held that lock at some moment are gone, nothing at or below a number that was read
//! before that moment can come any more.
import type pg from 'pg';
import type { RowNumber } from '../platform/database.ts';
import { sql } from '../platform/sql.ts';

const LOOK_EVERY_MS = 250;

interface Candidate {
  readonly number: bigint;
  /** Transactions that may still bring something below it. */
  readonly writers: ReadonlySet<string>;
  /** They have ended; what they brought is in the next batch. */
  isOver: boolean;
}

export class OutboxFloor {
  readonly #lookEveryMs: number;
  #floor = 0n;
  #highest = 0n;
  #next: Candidate | undefined;
  #lookedAt = -Infinity;

  constructor(lookEveryMs: number = LOOK_EVERY_MS) {
    this.#lookEveryMs = lookEveryMs;
  }

  get number(): RowNumber {
    return String(this.#floor);
  }

  /** What waits below is to be looked for again: a shard was won, or a marketplace left out. */
  reset(): void {
    this.#floor = 0n;
    this.#highest = 0n;
    this.#next = undefined;
  }

  /** Before a batch is read. */
  async look(client: pg.ClientBase): Promise<void> {
    const now = performance.now();
    if (now - this.#lookedAt < this.#lookEveryMs || this.#highest === this.#floor) return;
    this.#lookedAt = now;
    const writers = await writersOf(client);
    this.#next ??= { number: this.#highest, writers, isOver: false };
    this.#next.isOver = [...this.#next.writers].every((writer) => !writers.has(writer));
  }

  /** After its rows were placed; they were read by their numbers, from the floor on. */
  placed(numbers: readonly RowNumber[], isAll: boolean): void {
    const last = BigInt(numbers.at(-1) ?? 0);
    if (this.#next?.isOver && (isAll || last >= this.#next.number)) {
      this.#floor = this.#next.number;
      this.#next = undefined;
    }
    if (last > this.#highest) this.#highest = last;
  }
}

async function writersOf(client: pg.ClientBase): Promise<Set<string>> {
  const query = sql`
    select virtualtransaction as writer from pg_locks
    where locktype = 'relation' and relation = 'outbox'::regclass and mode = 'RowExclusiveLock'
      and database = (select oid from pg_database where datname = current_database())
      and pid is distinct from pg_backend_pid()`;
  const { rows } = await client.query<{ writer: string }>({ ...query, values: [] });
  return new Set(rows.map(({ writer }) => writer));
}
