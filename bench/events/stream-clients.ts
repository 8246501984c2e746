//! Many readers of the event stream over raw sockets, in a process of their own. It records which
//! reader got which event when, and does not parse, so that the readers cost little beside the
//! measured process.
import net from 'node:net';
import { inLanes } from '../../tests/harness/lanes.ts';
import { serve } from '../harness/helper.ts';
import { monotonicMicros } from '../harness/usage.ts';
import { type Deliveries, MARK } from './deliveries.ts';

interface ClientsParams {
  readonly url: string;
  /** One key per marketplace; reader number r uses key r modulo their count. */
  readonly keys: readonly string[];
  readonly connections: number;
}

/** Events since the last report. */
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
let recorded = emptyDeliveries(capacity);
let closed = 0;
let bytes = 0;

function emptyDeliveries(size: number): Deliveries {
  return {
    readers: new Uint32Array(size),
    numbers: new Uint32Array(size),
    at: new Float64Array(size),
  };
}

function record(reader: number, number: number, at: number): void {
  if (count === capacity) {
    const old = recorded;
    capacity *= 2;
    recorded = emptyDeliveries(capacity);
    recorded.readers.set(old.readers);
    recorded.numbers.set(old.numbers);
    recorded.at.set(old.at);
  }
  recorded.readers[count] = reader;
  recorded.numbers[count] = number;
  recorded.at[count] = at;
  count += 1;
}

/** Notes every mark in a piece of the stream; gives back where the last whole one ended. */
function recordMarks(reader: number, piece: Buffer, at: number): number {
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
    record(reader, number, at);
    end = next;
  }
}

/** Opens one stream; resolves once the server has started its response. */
function openOne(params: ClientsParams, url: URL, reader: number): Promise<void> {
  const key = params.keys[reader % params.keys.length] ?? '';
  let rest: Buffer | undefined;
  let opened: (() => void) | undefined;
  let failed: (error: Error) => void = () => undefined;
  const take = (size: number): boolean => {
    const at = monotonicMicros();
    bytes += size;
    const read = buffer.subarray(0, size);
    if (opened !== undefined) {
      const head = read.toString('latin1', 0, Math.min(size, 2000));
      if (head.startsWith('HTTP/1.1 200')) opened();
      else failed(new Error(`reader ${reader}: ${head}`));
      opened = undefined;
    }
    const piece = rest === undefined ? read : Buffer.concat([rest, read]);
    const end = Math.max(recordMarks(reader, piece, at), piece.length - mark.length);
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
    opened = resolve;
    failed = reject;
    socket.on('error', reject);
    socket.once('close', () => {
      closed += 1;
      reject(new Error(`reader ${reader}: closed before it began`));
    });
  });
}

/** Resolves when every reader's stream has started. */
async function open(params: ClientsParams): Promise<void> {
  const url = new URL(params.url);
  const readers = Array.from({ length: params.connections });
  await inLanes(readers, OPENING_MAX, (_, reader) => openOne(params, url, reader));
}

function report(): Report {
  const deliveries = {
    readers: recorded.readers.slice(0, count),
    numbers: recorded.numbers.slice(0, count),
    at: recorded.at.slice(0, count),
  };
  const delivered = { deliveries, closed, bytes };
  count = 0;
  bytes = 0;
  return delivered;
}

export const skills = { open, report };
serve(skills);
