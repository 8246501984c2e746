//! One transaction per account at a time: a wallet is locked from reading its sequence number until
//! its transaction is final. All locks of a process belong to one connection, however many there
//! are. So they end with the process, and a waiting caller holds no connection. A frozen process
//! loses them too: PostgreSQL ends a connection that is silent for too long.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { hasOpenEnvelope, listBusyAddresses } from '../../providers/network/envelope.ts';

const WAIT_MS_MAX = 15_000;
const POLL_INTERVAL_MS = 50;

interface WaitOptions {
  /** Its own open envelope makes no caller wait; any other of the wallet does. */
  readonly purpose: string;
  readonly waitMs?: number;
}

/**
 * Runs the work when one of the wallets is free: not locked, and none of its transactions open,
 * since two with the same sequence number cannot both take effect. Undefined when none became free
 * in time.
 */
export async function whenWalletFree<W extends { readonly address: string }, T>(
  pool: pg.Pool,
  wallets: readonly W[],
  { purpose, waitMs = WAIT_MS_MAX }: WaitOptions,
  work: (wallet: W) => Promise<T>,
): Promise<T | undefined> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    for (const wallet of wallets) {
      const done = await withLock(pool, lockName(wallet), async () =>
        (await hasOpenEnvelope(pool, wallet.address, purpose))
          ? undefined
          : { value: await work(wallet) },
      );
      if (done !== undefined) return done.value;
    }
    if (performance.now() > deadline) return undefined;
    await sleep(POLL_INTERVAL_MS);
  }
}

/**
 * Runs the work with all of the wallets that are free right now, up to a maximum. Does not wait for
 * the others.
 */
export async function withFreeWallets<W extends { readonly address: string }, T>(
  pool: pg.Pool,
  wallets: readonly W[],
  atMost: number,
  work: (free: readonly W[]) => Promise<T>,
): Promise<T> {
  const locks = locksOf(pool);
  const taken: W[] = [];
  try {
    for (let at = 0; at < wallets.length && taken.length < atMost; at += atMost) {
      const some = wallets.slice(at, at + atMost).slice(0, atMost - taken.length);
      const names = await locks.takeMany(some.map(lockName));
      taken.push(...some.filter((wallet) => names.has(lockName(wallet))));
    }
    const busy = await listBusyAddresses(
      pool,
      taken.map(({ address }) => address),
    );
    return await work(taken.filter(({ address }) => !busy.has(address)));
  } finally {
    await locks.giveMany(taken.map(lockName));
  }
}

function lockName({ address }: { readonly address: string }): string {
  return `wallet ${address}`;
}

/** Runs the work under a lock of this name; undefined when another process holds it. */
export async function withLock<T>(
  pool: pg.Pool,
  name: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const locks = locksOf(pool);
  if (!(await locks.take(name))) return undefined;
  try {
    return await work();
  } finally {
    await locks.give(name);
  }
}

/** Less than the sweeper waits, so that the process that takes over finds the wallets free. */
const SILENCE_MS_MAX = 8000;
const SIGN_OF_LIFE_MS = 2000;

const known = new WeakMap<pg.Pool, Locks>();

function locksOf(pool: pg.Pool): Locks {
  const locks = known.get(pool) ?? new Locks(pool);
  known.set(pool, locks);
  return locks;
}

/**
 * The locks of this process: by name within the process, by one session towards other processes.
 */
class Locks {
  readonly #pool: pg.Pool;
  /** The connection that holds it; undefined while the lock is being requested. */
  readonly #taken = new Map<string, pg.PoolClient | undefined>();
  #session: pg.PoolClient | undefined;
  #signs: NodeJS.Timeout | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async take(name: string): Promise<boolean> {
    return (await this.takeMany([name])).has(name);
  }

  /** Takes those of the names that were free. */
  async takeMany(names: readonly string[]): Promise<ReadonlySet<string>> {
    const wanted = names.filter((name) => !this.#taken.has(name));
    for (const name of wanted) this.#taken.set(name, undefined);
    return this.#serialize(async () => {
      let free: ReadonlySet<string> = new Set();
      try {
        if (wanted.length > 0) free = await this.#tryLocks(wanted);
      } finally {
        await this.#drop(wanted.filter((name) => !free.has(name)));
      }
      return free;
    });
  }

  async give(name: string): Promise<void> {
    await this.giveMany([name]);
  }

  async giveMany(names: readonly string[]): Promise<void> {
    await this.#serialize(async () => {
      const session = this.#session;
      // The locks of a lost connection are free already.
      const ours = names.filter((name) => this.#taken.get(name) === session);
      const unlock =
        'select pg_advisory_unlock(hashtextextended(name, 0)) from unnest($1::text[]) as name';
      if (session !== undefined && ours.length > 0) await this.#query(session, unlock, [ours]);
      await this.#drop(names);
    });
  }

  async #tryLocks(names: readonly string[]): Promise<ReadonlySet<string>> {
    this.#session ??= await this.#open();
    const session = this.#session;
    const { rows } = await session
      .query<{ name: string; free: boolean }>(
        `select name, pg_try_advisory_lock(hashtextextended(name, 0)) as free,
           set_config('idle_session_timeout', $2, false)
         from unnest($1::text[]) as name`,
        [names, String(SILENCE_MS_MAX)],
      )
      .catch((error: Error) => {
        this.#lose(error);
        throw error;
      });
    const free = rows.filter((row) => row.free).map(({ name }) => name);
    for (const name of free) this.#taken.set(name, session);
    return new Set(free);
  }

  async #open(): Promise<pg.PoolClient> {
    const session = await this.#pool.connect();
    session.on('error', this.#lose);
    const sign = async () => {
      if (this.#session === session) await this.#query(session, 'select');
    };
    this.#signs = setInterval(() => void this.#serialize(sign), SIGN_OF_LIFE_MS).unref();
    return session;
  }

  /** The connection returns to the pool with the last lock, as it was. */
  async #drop(names: readonly string[]): Promise<void> {
    for (const name of names) this.#taken.delete(name);
    if (this.#taken.size > 0 || this.#session === undefined) return;
    await this.#query(this.#session, 'reset idle_session_timeout');
    this.#leave()?.release();
  }

  async #query(session: pg.PoolClient, text: string, values: unknown[] = []): Promise<void> {
    await session.query(text, values).catch(this.#lose);
  }

  /** A connection that failed is discarded, and its locks end with it. */
  readonly #lose = (broken: Error): void => {
    this.#leave()?.release(broken);
  };

  #leave(): pg.PoolClient | undefined {
    const session = this.#session;
    session?.off('error', this.#lose);
    clearInterval(this.#signs);
    this.#session = undefined;
    return session;
  }

  /** One statement at a time on the one connection. */
  #serialize<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#queue.then(work);
    this.#queue = next.catch(() => undefined);
    return next;
  }
}
