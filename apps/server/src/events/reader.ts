//! One reader of the stream: goes through the log place by place, as fast as its connection takes.
import type { EventName } from '@holdfast/contract/events';
import type { Log } from '../platform/log.ts';
import type { Outlet } from '../platform/outlet.ts';
import type { Turnstile } from '../platform/turnstile.ts';
import type { LoggedEvent, Place } from './event-log.ts';
import type { Feed, Framed } from './feed.ts';
import { frameOf, resetFrame } from './frame.ts';

const PAGE = 1000;
const CHUNK_BYTES = 65_536;
const RETRY_MS = 500;

export class Reader {
  readonly #feed: Feed;
  readonly #outlet: Outlet;
  readonly #types: ReadonlySet<EventName> | null;
  readonly #turnstile: Turnstile;
  readonly #log: Log;
  #place: Place;
  #isPumping = false;
  /** The page behind the one that is being sent. */
  #ahead: Promise<LoggedEvent[]> | undefined;

  constructor(
    feed: Feed,
    from: { readonly place: Place; readonly types: ReadonlySet<EventName> | null },
    outlet: Outlet,
    parts: { readonly turnstile: Turnstile; readonly log: Log },
  ) {
    this.#feed = feed;
    this.#outlet = outlet;
    this.#place = from.place;
    this.#types = from.types;
    this.#turnstile = parts.turnstile;
    this.#log = parts.log;
  }

  /** Sends whatever follows; called at the start and whenever the log has grown. */
  readonly wake = (): void => {
    if (this.#isPumping || this.#outlet.isClosed) return;
    const kept = this.#feed.after(this.#place.position);
    // Almost always: caught up, with room on the connection. Nothing to wait for.
    if (kept !== undefined && this.#send(kept)) return;
    this.#isPumping = true;
    void this.#pump();
  };

  async #pump(): Promise<void> {
    try {
      await this.#outlet.drained();
      while (!this.#outlet.isClosed) {
        const kept = this.#feed.after(this.#place.position);
        if (kept?.length === 0) return;
        const hasRoom = kept === undefined ? await this.#replay() : this.#send(kept);
        if (!hasRoom) await this.#outlet.drained();
      }
    } catch (error) {
      this.#log.warn({ reason: (error as Error).message }, 'miss events');
      setTimeout(this.wake, RETRY_MS);
    } finally {
      this.#isPumping = false;
    }
  }

  #send(kept: readonly Framed[]): boolean {
    this.#ahead = undefined;
    let hasRoom = true;
    for (const frame of kept) {
      this.#place = frame;
      if (this.#types === null || this.#types.has(frame.type))
        hasRoom = this.#outlet.write(frame.bytes);
    }
    return hasRoom;
  }

  /** A page from the log itself, in large writes. */
  async #replay(): Promise<boolean> {
    const { marketplaceId } = this.#feed;
    const page = await this.#nextPage();
    let hasRoom = true;
    let text = '';
    // Months of the log may be dropped while a slow reader is on its way through them.
    if (page[0]?.position !== this.#place.position + 1) this.#tellReset(page[0] ?? this.#feed.end);
    for (const event of page) {
      this.#place = placeOf(event);
      if (event.payload === null) continue;
      text += frameOf(event, marketplaceId);
      if (text.length < CHUNK_BYTES) continue;
      hasRoom = this.#outlet.write(Buffer.from(text));
      text = '';
      if (!hasRoom) await this.#outlet.drained();
    }
    return text === '' ? hasRoom : this.#outlet.write(Buffer.from(text));
  }

  /** Reads on while the page is on its way out: the database need not wait for the reader. */
  async #nextPage(): Promise<LoggedEvent[]> {
    const reading = this.#ahead ?? this.#readPage(this.#place);
    this.#ahead = undefined;
    const page = await reading;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return page;
    this.#ahead = this.#readPage(last);
    // Whoever comes for it learns why.
    this.#ahead.catch(() => undefined);
    return page;
  }

  #readPage(after: Place): Promise<LoggedEvent[]> {
    return this.#turnstile.pass(() => this.#feed.readPage(after, PAGE, this.#types));
  }

  #tellReset(goesOnAt: Place): void {
    this.#outlet.write(resetFrame(this.#place.occurredAt, goesOnAt.occurredAt));
    this.#place = placeOf(goesOnAt);
  }
}

function placeOf({ position, occurredAt }: Place): Place {
  return { position, occurredAt };
}
