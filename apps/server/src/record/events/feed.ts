//! The end of one marketplace's log, in memory for the readers that have caught up with it.
import type { EventName } from '@holdfast/contract/events';
import { assert } from '@holdfast/kernel/assert';
import type { EventId, MarketplaceId } from '@holdfast/kernel/ids';
import type { Log } from '../../platform/process/log.ts';
import type { LoggedEvent, LogPosition } from './event-log.ts';
import { frameOf } from './frame.ts';
import type { TypeFilter } from './type-filter.ts';

/** Reads the events behind a position, up to a maximum. */
export type ReadPage = (
  after: LogPosition,
  atMost: number,
  types: TypeFilter | null,
) => Promise<LoggedEvent[]>;

export interface Framed extends LogPosition {
  readonly id: EventId;
  readonly type: EventName;
  readonly bytes: Buffer;
}

const BUFFERED_MAX = 256;
const PAGE = 200;

export class Feed {
  readonly marketplaceId: MarketplaceId;
  readonly readPage: ReadPage;
  readonly #log: Log;
  readonly #watchers = new Set<() => void>();
  #onNew: ((events: readonly LogPosition[]) => void) | undefined;
  /** Without gap, up to the last known end. */
  #buffer: Framed[] = [];
  #end: LogPosition;
  #isReading = false;
  #isWanted = false;

  constructor(marketplaceId: MarketplaceId, end: LogPosition, readPage: ReadPage, log: Log) {
    this.marketplaceId = marketplaceId;
    this.#end = end;
    this.readPage = readPage;
    this.#log = log;
  }

  get end(): LogPosition {
    return this.#end;
  }

  /** Calls back whenever the log has grown. */
  watch(onGrowth: () => void): void {
    this.#watchers.add(onGrowth);
  }

  /** Calls back with the new events, after all watchers. */
  watchNew(onNew: (events: readonly LogPosition[]) => void): void {
    this.#onNew = onNew;
  }

  unwatch(onGrowth: () => void): void {
    this.#watchers.delete(onGrowth);
  }

  /**
   * The events behind a position, from memory. Undefined when memory does not reach back that far:
   * the caller must then read the log.
   */
  after(position: number): readonly Framed[] | undefined {
    if (position >= this.#end.position) return [];
    const first = this.#buffer[0];
    if (first === undefined || position < first.position - 1) return undefined;
    return this.#buffer.slice(position - first.position + 1);
  }

  /** The log reaches at least this position: starts a read, or repeats the one under way. */
  readUpTo(position: number): void {
    if (position <= this.#end.position) return;
    this.#isWanted = true;
    if (!this.#isReading) void this.#readOn();
  }

  async #readOn(): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#isWanted) {
        this.#isWanted = false;
        const page = await this.readPage(this.#end, PAGE, null);
        this.#append(page);
        if (page.length === PAGE) this.#isWanted = true;
      }
    } catch (error) {
      // The next notification, or the next poll of the heads, tries again.
      this.#log.warn({ err: error }, 'event read failed');
    } finally {
      this.#isReading = false;
    }
  }

  #append(page: readonly LoggedEvent[]): void {
    for (const event of page) {
      assert(event.position === this.#end.position + 1, 'the log has no gap');
      const bytes = Buffer.from(frameOf(event, this.marketplaceId));
      const { position, occurredAt, id, type } = event;
      this.#buffer.push({ position, occurredAt, id, type, bytes });
      this.#end = event;
    }
    if (this.#buffer.length > BUFFERED_MAX) this.#buffer = this.#buffer.slice(-BUFFERED_MAX);
    if (page.length === 0) return;
    for (const onGrowth of this.#watchers) onGrowth();
    this.#onNew?.(page);
  }
}
