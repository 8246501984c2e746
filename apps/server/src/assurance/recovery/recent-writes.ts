//! The writes that an API server acknowledged in its last minute. When the history of the database
//! changes under it, as in a failover, it reports those that the database no longer has.
import type { AcknowledgedWrite, WriteLog } from '../../platform/acknowledged-write.ts';
import { getLineage } from '../../platform/database/lineage.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { checkWrites } from './check-writes.ts';
import { recoveryCall } from './recovery-run.ts';

const CHECK_EVERY_MS = 2000;
/** A failover that is noticed later has a log to be read: `holdfast recover log`. */
const RECENT_MS = 60_000;
const RECENT_MAX = 100_000;
const BATCH_MAX = 1000;

export class RecentWrites implements WriteLog {
  readonly #app: Transactor;
  #timer: NodeJS.Timeout | undefined;
  /** Of the last minute, and of the one before. */
  #newer: AcknowledgedWrite[] = [];
  #older: AcknowledgedWrite[] = [];
  #lineage: number | undefined;
  #checking: Promise<void> = Promise.resolve();

  constructor(app: Transactor) {
    this.#app = app;
  }

  record(write: AcknowledgedWrite): void {
    this.#timer ??= this.#startTimer();
    const oldest = this.#newer[0];
    if (
      oldest !== undefined &&
      (write.at - oldest.at > RECENT_MS || this.#newer.length >= RECENT_MAX)
    ) {
      this.#older = this.#newer;
      this.#newer = [];
    }
    this.#newer.push(write);
  }

  /** Of at least the last minute, in their order. */
  get recent(): readonly AcknowledgedWrite[] {
    return [...this.#older, ...this.#newer];
  }

  /** Returns how many are lost. */
  async check(): Promise<number> {
    const { number, isSameServer } = await read(this.#app, recoveryCall(), getLineage);
    // A worker has to check first; what is written until then is kept.
    if (!isSameServer) return 0;
    const before = this.#lineage ?? number;
    if (number === before) {
      this.#lineage = number;
      return 0;
    }
    const writes = this.recent;
    let count = 0;
    for (let at = 0; at < writes.length; at += BATCH_MAX) {
      const batch = writes.slice(at, at + BATCH_MAX);
      count += (await checkWrites(this.#app, recoveryCall(), batch)).lost.length;
    }
    this.#lineage = number;
    this.#app.log.info({ lineage: number, checked: writes.length, lost: count }, 'writes checked');
    return count;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#checking;
  }

  #startTimer(): NodeJS.Timeout {
    const check = () => {
      this.#checking = this.#checking.then(() => this.#checkOrWarn());
    };
    return setInterval(check, CHECK_EVERY_MS).unref();
  }

  /** The database may be away: the next check has the same writes. */
  async #checkOrWarn(): Promise<void> {
    try {
      await this.check();
    } catch (error) {
      this.#app.log.debug({ err: error }, 'writes not checked');
    }
  }
}
