//! Inspects a running Node process: its heap, its event loop, its CPU profile.
//! SIGUSR1 opens the inspector, so that nothing is recorded outside of the measured windows. The
//! process must have been started with `--inspect-port=0`, so that each finds a port of its own.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const OPEN_MS_MAX = 5000;

export interface Heap {
  heapUsed: number;
  external: number;
}

export interface LoopTimes {
  active: number;
  idle: number;
}

export interface Inspector {
  /** Bytes in use, after a collection. */
  heap(): Promise<Heap>;
  /** Milliseconds the event loop worked and waited since the process began. */
  loop(): Promise<LoopTimes>;
  startProfile(): Promise<void>;
  /** A .cpuprofile, on the monotonic clock. */
  stopProfile(): Promise<unknown>;
  close(): void;
}

export async function inspect(pid: number): Promise<Inspector> {
  process.kill(pid, 'SIGUSR1'); // Does nothing when it is open already.
  const socket = await connect(await inspectorUrl(pid));
  const waiting = new Map<number, (message: CdpReply) => void>();
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as CdpReply;
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  let last = 0;
  const call = async (method: string, params: object = {}): Promise<CdpReply['result']> => {
    last += 1;
    const id = last;
    const response = new Promise<CdpReply>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { result, error } = await response;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const evaluate = async (expression: string) =>
    (await call('Runtime.evaluate', { expression, returnByValue: true })).result?.value;
  return {
    heap: async () => {
      await call('HeapProfiler.collectGarbage');
      return (await evaluate('process.memoryUsage()')) as Heap;
    },
    loop: async () => (await evaluate('performance.eventLoopUtilization()')) as LoopTimes,
    startProfile: async () => {
      await call('Profiler.enable');
      await call('Profiler.setSamplingInterval', { interval: 500 });
      await call('Profiler.start');
    },
    stopProfile: async () => (await call('Profiler.stop')).profile,
    close: () => socket.close(),
  };
}

interface CdpReply {
  id: number;
  result: { result?: { value?: unknown }; profile?: unknown };
  error?: { message: string };
}

/** Share of the time between two looks in which the event loop worked. */
export function loopShare(before: LoopTimes, after: LoopTimes): number {
  const active = after.active - before.active;
  return active / (active + after.idle - before.idle);
}

async function inspectorUrl(pid: number): Promise<string> {
  const deadline = performance.now() + OPEN_MS_MAX;
  while (performance.now() < deadline) {
    for (const port of listeningPorts(pid)) {
      const response = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => undefined);
      const targets = (await response?.json().catch(() => [])) as {
        webSocketDebuggerUrl?: string;
      }[];
      const url = targets?.[0]?.webSocketDebuggerUrl;
      if (url !== undefined) return url;
    }
    await sleep(20);
  }
  throw new Error(`process ${pid} opened no inspector: was it started with --inspect-port=0?`);
}

async function connect(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url);
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error(`${url} refused`)));
  });
  return socket;
}

/** Ports on which a process listens, by its open sockets and the kernel's list of them. */
function listeningPorts(pid: number): Set<number> {
  const inodes = new Set<string>();
  for (const file of readdirSync(`/proc/${pid}/fd`)) {
    const inode = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${file}`))?.[1];
    if (inode !== undefined) inodes.add(inode);
  }
  const ports = new Set<number>();
  for (const line of readFileSync('/proc/net/tcp', 'latin1').split('\n').slice(1)) {
    const fields = line.trim().split(/\s+/);
    const [, local = '', , state, , , , , , inode = ''] = fields;
    if (state === '0A' && inodes.has(inode)) ports.add(Number.parseInt(local.slice(9), 16));
  }
  return ports;
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // Closed meanwhile.
  }
}
