//! One reader of the stream: reads the log by position, as fast as its connection takes.
import type { Outlet } from '../../platform/outlet.ts';
import type { Log } from '../../platform/process/log.ts';
import type { Semaphore } from '../../platform/semaphore.ts';
import type { LoggedEvent, LogPosition } from './event-log.ts';
import type { Feed, Framed } from './feed.ts';
import { frameOf, resetFrame } from './frame.ts';
import type { TypeFilter } from './type-filter.ts';

const PAGE = 1000;
const CHUNK_BYTES = 65_536;
const RETRY_MS = 500;

export class Reader {
  readonly #feed: Feed;
  readonly #outlet: Outlet;
  readonly #types: TypeFilter | null;
  readonly #semaphore: Semaphore;
  readonly #log: Log;
  #logPosition: LogPosition;
  #isPumping = false;
  /** The page behind the one that is being sent. */
  #ahead: Promise<LoggedEvent[]> | undefined;

  constructor(
    feed: Feed,
    from: { readonly logPosition: LogPosition; readonly types: TypeFilter | null },
    outlet: Outlet,
    deps: { readonly semaphore: Semaphore; readonly log: Log },
  ) {
    this.#feed = feed;
    this.#outlet = outlet;
    this.#logPosition = from.logPosition;
    this.#types = from.types;
    this.#semaphore = deps.semaphore;
    this.#log = deps.log;
  }

  /** Sends everything that follows; called at the start and whenever the log has grown. */
  readonly wake = (): void => {
    if (this.#isPumping || this.#outlet.isClosed) return;
    const buffered = this.#feed.after(this.#logPosition.position);
    // Almost always: the reader has caught up and the connection has room. Nothing to await.
    if (buffered !== undefined && this.#send(buffered)) return;
    this.#isPumping = true;
    void this.#pump();
  };

  async #pump(): Promise<void> {
    try {
      await this.#outlet.drained();
      while (!this.#outlet.isClosed) {
        const buffered = this.#feed.after(this.#logPosition.position);
        if (buffered?.length === 0) return;
        const hasRoom = buffered === undefined ? await this.#replay() : this.#send(buffered);
        if (!hasRoom) await this.#outlet.drained();
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'event read failed');
      setTimeout(this.wake, RETRY_MS);
    } finally {
      this.#isPumping = false;
    }
  }

  #send(buffered: readonly Framed[]): boolean {
    this.#ahead = undefined;
    let hasRoom = true;
    for (const frame of buffered) {
      this.#logPosition = frame;
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
    // Months of the log may be dropped while a slow reader is still within them.
    if (page[0]?.position !== this.#logPosition.position + 1)
      this.#sendReset(page[0] ?? this.#feed.end);
    for (const event of page) {
      this.#logPosition = logPositionOf(event);
      if (event.payload === null) continue;
      text += frameOf(event, marketplaceId);
      if (text.length < CHUNK_BYTES) continue;
      hasRoom = this.#outlet.write(Buffer.from(text));
      text = '';
      if (!hasRoom) await this.#outlet.drained();
    }
    return text === '' ? hasRoom : this.#outlet.write(Buffer.from(text));
  }

  /** Reads ahead while the page is being sent: the database need not wait for the reader. */
  async #nextPage(): Promise<LoggedEvent[]> {
    const reading = this.#ahead ?? this.#readPage(this.#logPosition);
    this.#ahead = undefined;
    const page = await reading;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return page;
    this.#ahead = this.#readPage(last);
    // The next call that awaits it gets the error.
    this.#ahead.catch(() => undefined);
    return page;
  }

  #readPage(after: LogPosition): Promise<LoggedEvent[]> {
    return this.#semaphore.run(() => this.#feed.readPage(after, PAGE, this.#types));
  }

  #sendReset(resumesAt: LogPosition): void {
    this.#outlet.write(resetFrame(this.#logPosition.occurredAt, resumesAt.occurredAt, 'purged'));
    this.#logPosition = logPositionOf(resumesAt);
  }
}

function logPositionOf({ position, occurredAt }: LogPosition): LogPosition {
  return { position, occurredAt };
}
