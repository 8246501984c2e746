//! All readers of the stream in this process: one feed per marketplace with readers.
//!
//! Replay and live are one ordered read of the log by position, so there is nothing to merge. A
//! reader behind the feed's memory reads the log; one within it is served from memory.
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { systemCall } from '../../platform/call.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import type { Outlet } from '../../platform/outlet.ts';
import { semaphore } from '../../platform/semaphore.ts';
import { measureDelivery } from '../../platform/telemetry/measure-delivery.ts';
import { type LogPosition, readLog, readLogEnd } from './event-log.ts';
import { Feed, type ReadPage } from './feed.ts';
import type { Listener } from './notifier.ts';
import { Reader } from './reader.ts';
import type { TypeFilter } from './type-filter.ts';

/** How late a missed notification is made up for. */
const POLL_INTERVAL_MS = 500;
const REPLAYS_MAX = 4;

export interface HubDeps extends Transactor {
  /** Starts listening to the notifier. */
  readonly listen: (onNotification: (marketplace: RowNumber, position: number) => void) => Listener;
}

export interface Subscription {
  readonly marketplace: RowNumber;
  readonly marketplaceId: MarketplaceId;
  readonly logPosition: LogPosition;
  readonly types: TypeFilter | null;
}

/** A feed with the number of its current and coming users. */
interface SharedFeed {
  users: number;
  streams: number;
  readonly opening: Promise<Feed>;
  feed?: Feed;
}

export class EventHub {
  readonly #deps: HubDeps;
  readonly #feeds = new Map<RowNumber, SharedFeed>();
  readonly #semaphore = semaphore(REPLAYS_MAX);
  #listener: Listener | undefined;
  #polling: NodeJS.Timeout | undefined;

  constructor(deps: HubDeps) {
    this.#deps = deps;
  }

  /** Sends everything behind the position to the outlet, until the outlet closes. */
  async attach(to: Subscription, outlet: Outlet): Promise<void> {
    this.#start();
    // Counted before anything is awaited, so that a feed with a waiting reader is not dropped.
    const shared = this.#use(to.marketplace, to.marketplaceId);
    let leave = () => this.#leave(to.marketplace, shared);
    try {
      const feed = await shared.opening;
      const { log } = this.#deps;
      const reader = new Reader(feed, to, outlet, { semaphore: this.#semaphore, log });
      feed.watch(reader.wake);
      shared.streams += 1;
      leave = () => {
        feed.unwatch(reader.wake);
        shared.streams -= 1;
        this.#leave(to.marketplace, shared);
      };
      reader.wake();
    } finally {
      // Runs at once when it is closed by now.
      outlet.onClose(() => leave());
    }
  }

  /** The end of a log, for a caller that reads by itself until it leaves. */
  async track(
    marketplace: RowNumber,
    marketplaceId: MarketplaceId,
  ): Promise<{ readonly feed: Feed; leave(): void }> {
    this.#start();
    const shared = this.#use(marketplace, marketplaceId);
    const leave = () => this.#leave(marketplace, shared);
    try {
      return { feed: await shared.opening, leave };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** The log is another one, as after a failover: new readers get feeds that start at its end. */
  dropFeeds(): void {
    this.#feeds.clear();
  }

  async close(): Promise<void> {
    clearInterval(this.#polling);
    await this.#listener?.close();
  }

  #start(): void {
    if (this.#listener !== undefined) return;
    this.#listener = this.#deps.listen((marketplace, position) =>
      this.#feeds.get(marketplace)?.feed?.readUpTo(position),
    );
    this.#polling = setInterval(() => void this.#poll(), POLL_INTERVAL_MS);
  }

  #use(marketplace: RowNumber, marketplaceId: MarketplaceId): SharedFeed {
    const known = this.#feeds.get(marketplace);
    if (known !== undefined) {
      known.users += 1;
      return known;
    }
    const shared: SharedFeed = {
      users: 1,
      streams: 0,
      opening: this.#openFeed(marketplace, marketplaceId),
    };
    this.#feeds.set(marketplace, shared);
    shared.opening.then(
      (feed) => {
        shared.feed = feed;
        feed.watchNew((events) => {
          if (shared.streams > 0) this.#measure(events);
        });
      },
      // The next caller tries again.
      () => this.#drop(marketplace, shared),
    );
    return shared;
  }

  async #openFeed(marketplace: RowNumber, marketplaceId: MarketplaceId): Promise<Feed> {
    const call = systemCall(marketplace);
    const end = await read(this.#deps, call, readLogEnd);
    const readPage: ReadPage = (after, atMost, types) =>
      read(this.#deps, call, (tx) => readLog(tx, after, atMost, types));
    return new Feed(marketplaceId, end, readPage, this.#deps.log);
  }

  /** Once for all streams of this process: those that have caught up are sent it at once. */
  #measure(events: readonly LogPosition[]): void {
    const now = this.#deps.clock.now();
    for (const { occurredAt } of events) measureDelivery('stream', occurredAt, now);
  }

  #leave(marketplace: RowNumber, shared: SharedFeed): void {
    shared.users -= 1;
    if (shared.users === 0) this.#drop(marketplace, shared);
  }

  #drop(marketplace: RowNumber, shared: SharedFeed): void {
    if (this.#feeds.get(marketplace) === shared) this.#feeds.delete(marketplace);
  }

  /** Makes up for missed notifications, for all marketplaces in one query. */
  async #poll(): Promise<void> {
    const marketplaces = [...this.#feeds.keys()];
    if (marketplaces.length === 0) return;
    try {
      const { rows } = await this.#deps.pool.query<{ marketplace_id: string; position: number }>({
        name: 'event-heads',
        text: `select marketplace_id, position::float8 as position
          from work.event_heads($1::bigint[])`,
        values: [marketplaces],
      });
      for (const { marketplace_id, position } of rows)
        this.#feeds.get(marketplace_id)?.feed?.readUpTo(position);
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'event read failed');
    }
  }
}
