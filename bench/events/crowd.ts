//! The crowd: many readers of the event stream over raw sockets, in a process of its own.
//! It notes which reader got which event when, and nothing else: parsing is left out, so that the
//! readers cost as little as they can beside what is measured.
import net from 'node:net';
import { inLanes } from '../../tests/harness/lanes.ts';
import { serve } from '../harness/helper.ts';
import { monotonicMicros } from '../harness/usage.ts';
import { type Deliveries, MARK } from './deliveries.ts';

interface CrowdParams {
  readonly url: string;
  /** One key per marketplace; reader number r uses key r modulo their count. */
  readonly keys: readonly string[];
  readonly connections: number;
}

/** What came since the last time. */
interface Report {
  readonly deliveries: Deliveries;
  readonly closed: number;
  readonly bytes: number;
}

/** Connections that are being opened at the same time. */
const OPENING_MAX = 64;
const QUOTE = 0x22;
const ZERO = 0x30;

/** All sockets read into it in turn: libuv fills it and calls back before it turns to the next. */
const buffer = Buffer.alloc(262_144);
const mark = Buffer.from(MARK);

let capacity = 1 << 16;
let count = 0;
let noted = emptyNotes(capacity);
let closed = 0;
let bytes = 0;

function emptyNotes(size: number): Deliveries {
  return {
    readers: new Uint32Array(size),
    numbers: new Uint32Array(size),
    at: new Float64Array(size),
  };
}

function note(reader: number, number: number, at: number): void {
  if (count === capacity) {
    const old = noted;
    capacity *= 2;
    noted = emptyNotes(capacity);
    noted.readers.set(old.readers);
    noted.numbers.set(old.numbers);
    noted.at.set(old.at);
  }
  noted.readers[count] = reader;
  noted.numbers[count] = number;
  noted.at[count] = at;
  count += 1;
}

/** Notes every mark in a piece of the stream; gives back where the last whole one ended. */
function noteMarks(reader: number, piece: Buffer, at: number): number {
  let end = 0;
  for (;;) {
    const found = piece.indexOf(mark, end);
    if (found < 0) return end;
    let next = found + mark.length;
    let number = 0;
    while (next < piece.length && piece[next] !== QUOTE) {
      number = number * 10 + (piece[next] ?? 0) - ZERO;
      next += 1;
    }
    if (next === piece.length) return found; // The rest of its number is still on the way.
    note(reader, number, at);
    end = next;
  }
}

/** Opens one stream; resolves once the server has begun its answer. */
function openOne(params: CrowdParams, url: URL, reader: number): Promise<void> {
  const key = params.keys[reader % params.keys.length] ?? '';
  let rest: Buffer | undefined;
  let begun: (() => void) | undefined;
  let failed: (error: Error) => void = () => undefined;
  const take = (size: number): boolean => {
    const at = monotonicMicros();
    bytes += size;
    const read = buffer.subarray(0, size);
    if (begun !== undefined) {
      const head = read.toString('latin1', 0, Math.min(size, 2000));
      if (head.startsWith('HTTP/1.1 200')) begun();
      else failed(new Error(`reader ${reader}: ${head}`));
      begun = undefined;
    }
    const piece = rest === undefined ? read : Buffer.concat([rest, read]);
    const end = Math.max(noteMarks(reader, piece, at), piece.length - mark.length);
    // A message ends with an empty line, so most reads leave nothing that could be half a mark.
    const isWhole = piece.at(-1) === 0x0a;
    rest = isWhole ? undefined : Buffer.from(piece.subarray(end));
    return true;
  };
  const socket = net.connect({
    host: url.hostname,
    port: Number(url.port),
    onread: { buffer, callback: take },
  });
  socket.on('connect', () =>
    socket.write(
      `GET /api/v1/events HTTP/1.1\r\nhost: ${url.host}\r\nauthorization: Bearer ${key}\r\n` +
        'accept: text/event-stream\r\n\r\n',
    ),
  );
  return new Promise((resolve, reject) => {
    begun = resolve;
    failed = reject;
    socket.on('error', reject);
    socket.once('close', () => {
      closed += 1;
      reject(new Error(`reader ${reader}: closed before it began`));
    });
  });
}

/** Resolves when every reader's stream has begun. */
async function open(params: CrowdParams): Promise<void> {
  const url = new URL(params.url);
  const readers = Array.from({ length: params.connections });
  await inLanes(readers, OPENING_MAX, (_, reader) => openOne(params, url, reader));
}

function report(): Report {
  const deliveries = {
    readers: noted.readers.slice(0, count),
    numbers: noted.numbers.slice(0, count),
    at: noted.at.slice(0, count),
  };
  const told = { deliveries, closed, bytes };
  count = 0;
  bytes = 0;
  return told;
}

export const skills = { open, report };
serve(skills);
