//! Parses server-sent events from a stream of bytes, cut into pieces at any byte.

/** One message. */
export interface SseMessage {
  /** The event's own id, when this message gave one. */
  readonly id: string | undefined;
  /** `message` when it gave none. */
  readonly event: string;
  /** Lines joined by a newline; empty when there was none. */
  readonly data: string;
  /** Milliseconds to wait before connecting anew, when it said so. */
  readonly retryMs: number | undefined;
}

/** Takes bytes in pieces of any size; gives whole messages. */
export class SseParser {
  readonly #decoder = new TextDecoder();
  #rest = '';
  #endedInReturn = false;
  #fields = empty();

  /** The messages that the piece completes. */
  push(bytes: Uint8Array): SseMessage[] {
    return [...this.#take(this.#decoder.decode(bytes, { stream: true }))];
  }

  *#take(piece: string): Generator<SseMessage> {
    let text = piece;
    if (text === '') return;
    // A line that ended with \r at the end of a piece may continue with the \n of the same end.
    if (this.#endedInReturn && text.startsWith('\n')) text = text.slice(1);
    if (text !== '') this.#endedInReturn = text.endsWith('\r');
    const lines = (this.#rest + text).split(/\r\n|\r|\n/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = this.#line(line);
      if (message !== undefined) yield message;
    }
  }

  #line(line: string): SseMessage | undefined {
    if (line === '') return this.#finish();
    const at = line.indexOf(':');
    const name = at < 0 ? line : line.slice(0, at);
    const value = at < 0 ? '' : line.slice(at + 1).replace(/^ /, '');
    const fields = this.#fields;
    if (name === 'data') fields.data.push(value);
    else if (name === 'event') fields.event = value;
    else if (name === 'id' && !value.includes('\0')) fields.id = value;
    else if (name === 'retry' && /^\d{1,9}$/.test(value)) fields.retryMs = +value;
    return undefined; // Comments and unknown fields are ignored.
  }

  #finish(): SseMessage | undefined {
    const { id, event, data, retryMs } = this.#fields;
    this.#fields = empty();
    const isEmpty = data.length === 0 && event === '' && retryMs === undefined;
    if (isEmpty && id === undefined) return undefined;
    return { id, event: event === '' ? 'message' : event, data: data.join('\n'), retryMs };
  }
}

interface Fields {
  id: string | undefined;
  event: string;
  data: string[];
  retryMs: number | undefined;
}

function empty(): Fields {
  return { id: undefined, event: '', data: [], retryMs: undefined };
}
