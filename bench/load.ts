//! The load generator: POSTs balance operations over raw keep-alive sockets, one in flight each.
//! Runs in a process of its own: `node bench/load.ts params.json`. It prints "ready" once
//! connected, begins at the first byte on standard input, and prints one JSON line at the end.
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { isLoadParams, type LoadParams, type LoadResult } from './load-params.ts';

/** Answers outlive the window by as long as the slowest request; after this they count as lost. */
const DRAIN_MS_MAX = 20_000;

interface Load {
  params: LoadParams;
  windowFrom: number;
  windowTo: number;
  latenciesMs: number[];
  statuses: Record<string, number>;
  firstFault: string | null;
  /** Connections that may still send or wait for an answer. */
  running: number;
  ended: () => void;
}

/** All sockets read into it in turn: libuv fills it and calls back before it turns to the next. */
const buffer = Buffer.alloc(65_536);

function readParams(path: string): LoadParams {
  const params: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!isLoadParams(params)) throw new Error('not the parameters of a load');
  return params;
}

/** What stays the same of every request, up to the places where an id is put in. */
function requestParts(params: LoadParams, host: string) {
  const body = '{"amount":"1.00"}';
  const heads = params.operations.map(
    (operation) =>
      `/balance/${operation} HTTP/1.1\r\nhost: ${host}\r\n` +
      `authorization: Bearer ${params.key}\r\ncontent-type: application/json\r\n` +
      `content-length: ${body.length}\r\nidempotency-key: `,
  );
  return { start: 'POST /api/v1/users/', heads, tail: `\r\n\r\n${body}` };
}

function pick(list: readonly string[]): string {
  return list[Math.floor(Math.random() * list.length)] ?? '';
}

/** Only the framing is read: status line, content-length, and that the body is all there. */
function readAnswer(text: string): { status: string; size: number } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const length = /content-length: (\d+)/i.exec(text)?.[1];
  if (length === undefined) return { status: 'unframed', size: text.length };
  const size = end + 4 + Number(length);
  return text.length < size ? undefined : { status: text.slice(9, 12), size };
}

function note(load: Load, status: string, sentAt: number, text: string): void {
  load.statuses[status] = (load.statuses[status] ?? 0) + 1;
  if (status !== '200') {
    load.firstFault ??= text
      .slice(text.indexOf('\r\n\r\n') + 1)
      .trim()
      .slice(0, 1000);
    return;
  }
  const now = performance.now();
  if (now >= load.windowFrom && now < load.windowTo) load.latenciesMs.push(now - sentAt);
}

/** Opens one connection and gives back what starts its loop of requests. */
function open(load: Load, url: URL): Promise<() => void> {
  const { start, heads, tail } = requestParts(load.params, url.host);
  const { userIds } = load.params;
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
    const answer = readAnswer(text);
    rest = answer === undefined ? text : text.slice(answer.size);
    if (answer === undefined) return true;
    isWaiting = false;
    note(load, answer.status, sentAt, text);
    if (performance.now() < load.windowTo) send();
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
    if (isWaiting) note(load, 'closed', sentAt, 'the connection closed before its answer came');
    load.running -= 1;
    if (load.running === 0) load.ended();
  });
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(send));
    // After the connection stands, an error is followed by `close`, which counts it.
    socket.on('error', reject);
  });
}

async function run(load: Load, starters: (() => void)[]): Promise<void> {
  const { leadMs, windowMs } = load.params;
  const ended = new Promise<void>((resolve) => {
    load.ended = resolve;
  });
  load.windowFrom = performance.now() + leadMs;
  load.windowTo = load.windowFrom + windowMs;
  for (const start of starters) start();
  const patience = setTimeout(() => load.ended(), leadMs + windowMs + DRAIN_MS_MAX);
  await ended;
  clearTimeout(patience);
}

function resultOf(load: Load): LoadResult {
  const sorted = Float64Array.from(load.latenciesMs).sort();
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return {
    ops: sorted.length,
    unanswered: load.running,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    statuses: load.statuses,
    firstFault: load.firstFault,
  };
}

const params = readParams(process.argv[2] ?? '');
const load: Load = {
  params,
  windowFrom: Number.POSITIVE_INFINITY,
  windowTo: Number.POSITIVE_INFINITY,
  latenciesMs: [],
  statuses: {},
  firstFault: null,
  running: params.connections,
  ended: () => undefined,
};
const starters = await Promise.all(
  Array.from({ length: params.connections }, (_, at) =>
    open(load, new URL(params.urls[at % params.urls.length] ?? '')),
  ),
);
process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
await run(load, starters);
process.stdout.write(`${JSON.stringify(resultOf(load))}\n`, () => process.exit(0));
