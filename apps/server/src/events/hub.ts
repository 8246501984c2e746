//! All readers of the stream in this process: one feed per marketplace that anybody listens to.
//!
//! Replay and live are one ordered read of the log by place, so there is nothing to merge: a reader
//! behind the feed's memory reads the log, one within it is served from there.
import type { EventName } from '@holdfast/contract/events';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { systemCall } from '../platform/call.ts';
import type { RowNumber } from '../platform/database.ts';
import type { Outlet } from '../platform/outlet.ts';
import { read, type Transactor } from '../platform/transact.ts';
import { turnstile } from '../platform/turnstile.ts';
import type { Listener } from './bell.ts';
import { type Place, readLog, readLogEnd } from './event-log.ts';
import { Feed, type ReadPage } from './feed.ts';
import { Reader } from './reader.ts';

/** How late a missed ring is made up for. */
const LOOK_EVERY_MS = 500;
const REPLAYS_MAX = 4;

export interface HubParts extends Transactor {
  /** Starts listening to the bell. */
  readonly listen: (onRing: (marketplace: RowNumber, position: number) => void) => Listener;
}

export interface ListeningTo {
  readonly marketplace: RowNumber;
  readonly marketplaceId: MarketplaceId;
  readonly place: Place;
  readonly types: ReadonlySet<EventName> | null;
}

/** A feed with those who use it, or are about to. */
interface Used {
  users: number;
  readonly opening: Promise<Feed>;
  feed?: Feed;
}

export class EventHub {
  readonly #parts: HubParts;
  readonly #feeds = new Map<RowNumber, Used>();
  readonly #turnstile = turnstile(REPLAYS_MAX);
  #listener: Listener | undefined;
  #looking: NodeJS.Timeout | undefined;

  constructor(parts: HubParts) {
    this.#parts = parts;
  }

  /** Sends everything behind the place to the outlet, until that closes. */
  async attach(to: ListeningTo, outlet: Outlet): Promise<void> {
    this.#start();
    // Counted before anything is waited for: a feed that somebody waits for is not let go.
    const used = this.#use(to.marketplace, to.marketplaceId);
    let leave = () => this.#leave(to.marketplace, used);
    try {
      const feed = await used.opening;
      const { log } = this.#parts;
      const reader = new Reader(feed, to, outlet, { turnstile: this.#turnstile, log });
      feed.watch(reader.wake);
      leave = () => {
        feed.unwatch(reader.wake);
        this.#leave(to.marketplace, used);
      };
      reader.wake();
    } finally {
      // At once when it is closed by now.
      outlet.onClose(() => leave());
    }
  }

  /** The end of a log, for whoever reads on by itself until it leaves. */
  async follow(
    marketplace: RowNumber,
    marketplaceId: MarketplaceId,
  ): Promise<{ readonly feed: Feed; leave(): void }> {
    this.#start();
    const used = this.#use(marketplace, marketplaceId);
    const leave = () => this.#leave(marketplace, used);
    try {
      return { feed: await used.opening, leave };
    } catch (error) {
      leave();
      throw error;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    await this.#listener?.close();
  }

  #start(): void {
    if (this.#listener !== undefined) return;
    this.#listener = this.#parts.listen((marketplace, position) =>
      this.#feeds.get(marketplace)?.feed?.hear(position),
    );
    this.#looking = setInterval(() => void this.#look(), LOOK_EVERY_MS);
  }

  #use(marketplace: RowNumber, marketplaceId: MarketplaceId): Used {
    const known = this.#feeds.get(marketplace);
    if (known !== undefined) {
      known.users += 1;
      return known;
    }
    const used: Used = { users: 1, opening: this.#openFeed(marketplace, marketplaceId) };
    this.#feeds.set(marketplace, used);
    used.opening.then(
      (feed) => {
        used.feed = feed;
      },
      // Whoever comes next tries again.
      () => this.#forget(marketplace, used),
    );
    return used;
  }

  async #openFeed(marketplace: RowNumber, marketplaceId: MarketplaceId): Promise<Feed> {
    const call = systemCall(marketplace);
    const end = await read(this.#parts, call, readLogEnd);
    const readPage: ReadPage = (after, atMost, types) =>
      read(this.#parts, call, (tx) => readLog(tx, after, atMost, types));
    return new Feed(marketplaceId, end, readPage, this.#parts.log);
  }

  #leave(marketplace: RowNumber, used: Used): void {
    used.users -= 1;
    if (used.users === 0) this.#forget(marketplace, used);
  }

  #forget(marketplace: RowNumber, used: Used): void {
    if (this.#feeds.get(marketplace) === used) this.#feeds.delete(marketplace);
  }

  /** Makes up for rings that were missed, for all marketplaces in one query. */
  async #look(): Promise<void> {
    const marketplaces = [...this.#feeds.keys()];
    if (marketplaces.length === 0) return;
    try {
      const { rows } = await this.#parts.pool.query<{ marketplace_id: string; position: number }>({
        name: 'event-heads',
        text: `select marketplace_id, position::float8 as position
          from work.event_heads($1::bigint[])`,
        values: [marketplaces],
      });
      for (const { marketplace_id, position } of rows)
        this.#feeds.get(marketplace_id)?.feed?.hear(position);
    } catch (error) {
      this.#parts.log.warn({ reason: (error as Error).message }, 'miss events');
    }
  }
}
