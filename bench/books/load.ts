//! The load generator: POSTs balance operations over raw keep-alive sockets, one in flight each.
import net from 'node:net';
import { percentilesOf } from '../harness/figures.ts';
import { serve } from '../harness/helper.ts';

/** Responses may arrive after the window, as late as the slowest request; then they are lost. */
const DRAIN_MS_MAX = 20_000;

export interface Load {
  readonly urls: readonly string[];
  readonly key: string;
  /** Balance operations, each request one of these at random. */
  readonly operations: readonly string[];
  /** Each request picks one of these at random. */
  readonly userIds: readonly string[];
  readonly connections: number;
  /** Sent before the measured window, and not counted. */
  readonly leadMs: number;
  readonly windowMs: number;
}

interface LoadResult {
  /** Responses of 200 within the window. */
  readonly ops: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Other responses, or none. */
  readonly faults: number;
  readonly firstFault: string | undefined;
}

const latenciesMs: number[] = [];
let [windowFrom, windowTo] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
let faults = 0;
let firstFault: string | undefined;
/** Connections that may still send or wait for a response. */
let running = 0;
let ended: () => void = () => undefined;
let startLoad: () => Promise<LoadResult> = () => Promise.reject(new Error('no connection is open'));

/** All sockets read into it in turn: libuv fills it and calls back before it turns to the next. */
const buffer = Buffer.alloc(65_536);

/** The constant text of every request, between the ids. */
function requestParts({ operations, key }: Load, host: string) {
  const body = '{"amount":"1.00"}';
  const heads = operations.map(
    (operation) =>
      `/balance/${operation} HTTP/1.1\r\nhost: ${host}\r\n` +
      `authorization: Bearer ${key}\r\ncontent-type: application/json\r\n` +
      `content-length: ${body.length}\r\nidempotency-key: `,
  );
  return { start: 'POST /api/v1/users/', heads, tail: `\r\n\r\n${body}` };
}

function pick(list: readonly string[]): string {
  return list[Math.floor(Math.random() * list.length)] ?? '';
}

/** Only the framing is read: status line, content-length, and that the body is all there. */
function readResponse(text: string): { status: string; size: number } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const length = /content-length: (\d+)/i.exec(text)?.[1];
  if (length === undefined) return { status: 'unframed', size: text.length };
  const size = end + 4 + Number(length);
  return text.length < size ? undefined : { status: text.slice(9, 12), size };
}

function record(status: string, sentAt: number, text: string): void {
  if (status !== '200') {
    faults += 1;
    firstFault ??= text
      .slice(text.indexOf('\r\n\r\n') + 1)
      .trim()
      .slice(0, 1000);
    return;
  }
  const now = performance.now();
  if (now >= windowFrom && now < windowTo) latenciesMs.push(now - sentAt);
}

/** Opens one connection and gives back what starts its loop of requests. */
function connect(load: Load, url: URL): Promise<() => void> {
  const { start, heads, tail } = requestParts(load, url.host);
  const { userIds } = load;
  let sentAt = 0;
  let rest = '';
  let isWaiting = false;
  const send = () => {
    const keys = `${crypto.randomUUID()}\r\nx-request-id: ${crypto.randomUUID()}`;
    sentAt = performance.now();
    isWaiting = true;
    socket.write(start + pick(userIds) + pick(heads) + keys + tail, 'latin1');
  };
  const take = (size: number): boolean => {
    const text = rest + buffer.toString('latin1', 0, size);
    const response = readResponse(text);
    rest = response === undefined ? text : text.slice(response.size);
    if (response === undefined) return true;
    isWaiting = false;
    record(response.status, sentAt, text);
    if (performance.now() < windowTo) send();
    else socket.end();
    return true;
  };
  const socket = net.connect({
    host: url.hostname,
    port: Number(url.port),
    noDelay: true,
    onread: { buffer, callback: take },
  });
  socket.once('close', () => {
    if (isWaiting) record('closed', sentAt, 'the connection closed before its response came');
    running -= 1;
    if (running === 0) ended();
  });
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(send));
    // After the connection stands, an error is followed by `close`, which counts it.
    socket.on('error', reject);
  });
}

/** Resolves when every connection stands. */
async function open(load: Load): Promise<void> {
  running = load.connections;
  const starters = await Promise.all(
    Array.from({ length: load.connections }, (_, at) =>
      connect(load, new URL(load.urls[at % load.urls.length] ?? '')),
    ),
  );
  startLoad = () => run(load, starters);
}

async function run(
  { leadMs, windowMs }: Load,
  starters: readonly (() => void)[],
): Promise<LoadResult> {
  const over = new Promise<void>((resolve) => {
    ended = resolve;
  });
  windowFrom = performance.now() + leadMs;
  windowTo = windowFrom + windowMs;
  for (const start of starters) start();
  const patience = setTimeout(ended, leadMs + windowMs + DRAIN_MS_MAX);
  await over;
  clearTimeout(patience);
  const { p50, p99 } = percentilesOf(latenciesMs);
  const ops = latenciesMs.length;
  return { ops, p50Ms: p50, p99Ms: p99, faults: faults + running, firstFault };
}

export const skills = { open, run: () => startLoad() };
serve(skills);
