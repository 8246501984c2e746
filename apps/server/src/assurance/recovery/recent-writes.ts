//! The writes that an API server acknowledged in its last minute. When the history of the database
//! changes under it, as in a failover, it reports those that the database no longer has.
import type { AcknowledgedWrite, WriteLog } from '../../platform/acknowledged-write.ts';
import { getLineage } from '../../platform/database/lineage.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { checkWrites } from './check-writes.ts';
import { recoveryCall } from './recovery-run.ts';

const CHECK_EVERY_MS = 1000;
/** A failover that is found later has a log to be read: `holdfast recover log`. */
const RECENT_MS = 60_000;
const RECENT_MAX = 50_000;
const BATCH_MAX = 200;

export interface RecentWritesDeps extends Transactor {
  /** Called once for each other history, before its writes are compared. */
  readonly onHistoryChange: () => void;
}

export class RecentWrites implements WriteLog {
  readonly #app: RecentWritesDeps;
  #timer: NodeJS.Timeout | undefined;
  /** Of the last minute, and of the one before. */
  #newer: AcknowledgedWrite[] = [];
  #older: AcknowledgedWrite[] = [];
  /** Not compared with the present history yet. */
  #unchecked: readonly AcknowledgedWrite[] = [];
  /** The history that the newest writes are part of. */
  #lineage: string | undefined;
  #checking: Promise<unknown> = Promise.resolve();

  constructor(app: RecentWritesDeps) {
    this.#app = app;
  }

  /** Before the first request: its write belongs to the present history. */
  async start(): Promise<void> {
    await this.check();
    const check = () => {
      this.#checking = this.#checking.then(() => this.#checkOrWarn());
    };
    this.#timer = setInterval(check, CHECK_EVERY_MS).unref();
  }

  record(write: AcknowledgedWrite): void {
    const oldest = this.#newer[0];
    const isOver = oldest !== undefined && write.at - oldest.at > RECENT_MS;
    if (isOver || this.#newer.length >= RECENT_MAX) {
      this.#older = this.#newer;
      this.#newer = [];
    }
    this.#newer.push(write);
  }

  /** Of at least the last minute, in their order. */
  get recent(): readonly AcknowledgedWrite[] {
    return [...this.#older, ...this.#newer];
  }

  /** Returns how many are lost. A check that fails continues where it was. */
  async check(): Promise<number> {
    const { number, checkedAt, isSameServer } = await read(this.#app, recoveryCall(), getLineage);
    // A worker has to check first; what is written until then is in the list.
    if (!isSameServer) return 0;
    // Two histories that continue the same one have the same number.
    const lineage = `${number} ${checkedAt}`;
    if (this.#lineage !== undefined && lineage !== this.#lineage) {
      // All of them: the history before may have had what this one lacks.
      this.#unchecked = [...new Set([...this.#unchecked, ...this.recent])];
      this.#app.onHistoryChange();
    }
    this.#lineage = lineage;
    return this.#compare();
  }

  async #compare(): Promise<number> {
    let lost = 0;
    const checked = this.#unchecked.length;
    while (this.#unchecked.length > 0) {
      const batch = this.#unchecked.slice(0, BATCH_MAX);
      lost += (await checkWrites(this.#app, recoveryCall(), batch)).lost.length;
      this.#unchecked = this.#unchecked.slice(BATCH_MAX);
    }
    if (checked > 0) this.#app.log.info({ checked, lost }, 'acknowledged writes checked');
    return lost;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#checking;
  }

  async #checkOrWarn(): Promise<void> {
    try {
      await this.check();
    } catch (error) {
      const waiting = this.#unchecked.length;
      // Without an earlier history there is nothing to compare, and others report a lost database.
      if (waiting > 0)
        this.#app.log.warn({ err: error, waiting }, 'acknowledged writes not checked');
    }
  }
}
