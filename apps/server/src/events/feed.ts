//! The end of one marketplace's log, kept in memory for the readers that have caught up with it.
import type { EventName } from '@holdfast/contract/events';
import { assert } from '@holdfast/kernel/assert';
import type { EventId, MarketplaceId } from '@holdfast/kernel/ids';
import type { Log } from '../platform/log.ts';
import type { LoggedEvent, Place } from './event-log.ts';
import { frameOf } from './frame.ts';

/** Reads what follows a place, at most so many. */
export type ReadPage = (
  after: Place,
  atMost: number,
  types: ReadonlySet<EventName> | null,
) => Promise<LoggedEvent[]>;

export interface Framed extends Place {
  readonly id: EventId;
  readonly type: EventName;
  readonly bytes: Buffer;
}

const KEPT_MAX = 256;
const PAGE = 200;

export class Feed {
  readonly marketplaceId: MarketplaceId;
  readonly readPage: ReadPage;
  readonly #log: Log;
  readonly #watchers = new Set<() => void>();
  /** Without gap, up to the end as it was read last. */
  #kept: Framed[] = [];
  #end: Place;
  #isReading = false;
  #isWanted = false;

  constructor(marketplaceId: MarketplaceId, end: Place, readPage: ReadPage, log: Log) {
    this.marketplaceId = marketplaceId;
    this.#end = end;
    this.readPage = readPage;
    this.#log = log;
  }

  get end(): Place {
    return this.#end;
  }

  /** Calls whenever the log has grown. */
  watch(onGrowth: () => void): void {
    this.#watchers.add(onGrowth);
  }

  unwatch(onGrowth: () => void): void {
    this.#watchers.delete(onGrowth);
  }

  /**
   * What follows a position, from memory. Undefined when memory does not reach back that far: then
   * the log itself must be read.
   */
  after(position: number): readonly Framed[] | undefined {
    if (position >= this.#end.position) return [];
    const first = this.#kept[0];
    if (first === undefined || position < first.position - 1) return undefined;
    return this.#kept.slice(position - first.position + 1);
  }

  /** The log goes at least this far: reads on, or lets the reading that is under way repeat. */
  hear(position: number): void {
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
      // The next ring, or the next look at the heads, tries again.
      this.#log.warn({ reason: (error as Error).message }, 'miss events');
    } finally {
      this.#isReading = false;
    }
  }

  #append(page: readonly LoggedEvent[]): void {
    for (const event of page) {
      assert(event.position === this.#end.position + 1, 'the log has no gap');
      const bytes = Buffer.from(frameOf(event, this.marketplaceId));
      const { position, occurredAt, id, type } = event;
      this.#kept.push({ position, occurredAt, id, type, bytes });
      this.#end = event;
    }
    if (this.#kept.length > KEPT_MAX) this.#kept = this.#kept.slice(-KEPT_MAX);
    if (page.length > 0) for (const onGrowth of this.#watchers) onGrowth();
  }
}
