//! The floor: the number below which nothing in the outbox can still appear, so that reads start
//! above it.
//!
//! While an old snapshot is open anywhere, such as a backup's, PostgreSQL cannot clear taken rows
//! away. Every read of the outbox from its start would then step over all of them. Numbers are
//! handed out before commit, so the highest one read proves nothing by itself. But a transaction
//! with a number holds an insert lock on the table, taken before it got the number. Once all
//! holders of that lock at some moment are gone, no row can appear at or below a number that was
//! read before that moment.
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

const CHECK_INTERVAL_MS = 250;

interface Candidate {
  readonly number: bigint;
  /** Transactions that may still bring a row below it. */
  readonly writers: ReadonlySet<string>;
  /** They have ended; their rows are in the next batch. */
  isOver: boolean;
}

export class OutboxFloor {
  readonly #checkIntervalMs: number;
  #floor = 0n;
  #highest = 0n;
  #next: Candidate | undefined;
  #checkedAt = -Infinity;

  constructor(checkIntervalMs: number = CHECK_INTERVAL_MS) {
    this.#checkIntervalMs = checkIntervalMs;
  }

  get number(): RowNumber {
    return String(this.#floor);
  }

  /** Rows below must be read again: a shard was won, or a marketplace was left out. */
  reset(): void {
    this.#floor = 0n;
    this.#highest = 0n;
    this.#next = undefined;
  }

  /** Runs before a batch is read. */
  async check(client: pg.ClientBase): Promise<void> {
    const now = performance.now();
    if (now - this.#checkedAt < this.#checkIntervalMs || this.#highest === this.#floor) return;
    this.#checkedAt = now;
    const writers = await writersOf(client);
    this.#next ??= { number: this.#highest, writers, isOver: false };
    this.#next.isOver = [...this.#next.writers].every((writer) => !writers.has(writer));
  }

  /** Runs after its rows were sequenced; they were read by their numbers, from the floor on. */
  sequenced(numbers: readonly RowNumber[], isAll: boolean): void {
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
