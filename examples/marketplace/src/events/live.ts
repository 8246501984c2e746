//! Notifies open pages of changes, by the shop's own stream.
//!
//! Holdfast's own stream needs the API key and carries the events of all users. So the shop reads
//! it once, and sends each browser only a notification that its pages have changed.
import type { ServerResponse } from 'node:http';

const HEARTBEAT_MS = 20_000;

export class Live {
  readonly #open = new Map<ServerResponse, string>();
  /** Versions start with the current time, so that a restart is a change too. */
  readonly #first = Date.now();
  readonly #changes = new Map<string, number>();
  readonly #heartbeat = setInterval(
    () => this.#write(() => true, ': still here\n\n'),
    HEARTBEAT_MS,
  );

  /** Keeps the response open; it belongs to the stream from here on. */
  join(person: string, response: ServerResponse): void {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    // A change since the page was rendered is not missed: the version differs.
    response.write(`retry: 1000\n${this.#message(person)}`);
    this.#open.set(response, person);
    response.on('close', () => this.#open.delete(response));
  }

  notify(people: readonly string[]): void {
    for (const person of people) {
      this.#changes.set(person, (this.#changes.get(person) ?? 0) + 1);
      this.#write((one) => one === person, this.#message(person));
    }
  }

  version(person: string): string {
    return String(this.#first + (this.#changes.get(person) ?? 0));
  }

  #message(person: string): string {
    return `event: changed\ndata: ${this.version(person)}\n\n`;
  }

  close(): void {
    clearInterval(this.#heartbeat);
    for (const response of this.#open.keys()) response.end();
  }

  #write(isRecipient: (person: string) => boolean, text: string): void {
    for (const [response, person] of this.#open) if (isRecipient(person)) response.write(text);
  }
}
