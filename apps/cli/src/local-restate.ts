//! Starts a Restate on loopback, in a temporary folder: it holds no records.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { adopt, isGone } from './children.ts';
import type { LogTo } from './server-process.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

export interface LocalRestate {
  readonly ingressUrl: string;
  readonly adminUrl: string;
  readonly pid: number;
  /** Pauses or resumes the process. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Resolves when the process is gone; what it wrote stays. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Again at the same ports, after `kill`; with `wiped` it remembers nothing. */
  start(options?: { readonly wiped?: boolean }): Promise<void>;
  /** Resolves when a worker has registered a service. */
  served(): Promise<void>;
  stop(): Promise<void>;
}

interface Ports {
  readonly node: number;
  readonly ingress: number;
  readonly admin: number;
}

const READY_MS_MAX = 20_000;
const POLL_INTERVAL_MS = 25;

export async function startRestate({ logTo = 'ignore' as LogTo } = {}): Promise<LocalRestate> {
  const [node, ingress, admin] = await freePorts(3);
  const restate = new RestateProcess({ node, ingress, admin } as Ports, logTo);
  try {
    await restate.start();
  } catch (error) {
    await restate.stop();
    throw error;
  }
  return restate;
}

class RestateProcess implements LocalRestate {
  readonly ingressUrl: string;
  readonly adminUrl: string;
  readonly #temporary = createTemporaryFolder('holdfast-restate');
  readonly #config: string;
  readonly #logTo: LogTo;
  #child: ChildProcess | undefined;

  constructor(ports: Ports, logTo: LogTo) {
    this.ingressUrl = `http://127.0.0.1:${ports.ingress}`;
    this.adminUrl = `http://127.0.0.1:${ports.admin}`;
    this.#logTo = logTo;
    this.#config = join(this.#temporary.path, 'restate.toml');
    writeFileSync(this.#config, configuration(this.#data, ports));
  }

  get #data(): string {
    return join(this.#temporary.path, 'data');
  }

  get pid(): number {
    return this.#child?.pid as number;
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(signal);
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || isGone(child)) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  }

  async start({ wiped = false } = {}): Promise<void> {
    if (wiped) rmSync(this.#data, { recursive: true, force: true });
    const args = ['--no-logo', '--config-file', this.#config];
    const child = adopt(spawn(findBinary(), args, { stdio: ['ignore', 'ignore', this.#logTo] }));
    this.#child = child;
    await Promise.all([
      waitUntilReady(`${this.ingressUrl}/restate/health`, child),
      waitUntilReady(`${this.adminUrl}/health`, child),
    ]);
  }

  served(): Promise<void> {
    return waitUntilReady(`${this.ingressUrl}/restate/health`, this.#child, /"services":\[".+"\]/);
  }

  async stop(): Promise<void> {
    await this.kill('SIGKILL');
    this.#temporary.remove();
  }
}

/** For api and worker: where Restate is, and one port at which it finds every worker. */
export async function engineEnvironment({
  ingressUrl,
  adminUrl,
}: LocalRestate): Promise<Record<string, string>> {
  const [port] = await freePorts(1);
  return {
    HOLDFAST_ENGINE_INGRESS_URL: ingressUrl,
    HOLDFAST_ENGINE_ADMIN_URL: adminUrl,
    HOLDFAST_ENGINE_PORT: String(port),
  };
}

/** Small, and quick to detect a frozen worker. */
function configuration(data: string, { node, ingress, admin }: Ports): string {
  return `cluster-name = "holdfast"
node-name = "local"
disable-telemetry = true
listen-mode = "tcp"
bind-ip = "127.0.0.1"
bind-port = ${node}
base-dir = "${data}"
rocksdb-total-memory-size = "64 MiB"
default-num-partitions = 2
shutdown-timeout = "2s"
log-filter = "warn,octocrab=off"
log-format = "compact"
log-disable-ansi-codes = true

[admin]
bind-address = "127.0.0.1:${admin}"
disable-web-ui = true

[ingress]
bind-address = "127.0.0.1:${ingress}"

[worker.invoker]
http2-keep-alive-interval = "2s"
http2-keep-alive-timeout = "2s"
connect-timeout = "2s"
`;
}

/**
 * The platform's own package: the one above it adds a process, and a package that reports installs.
 */
function findBinary(): string {
  const { RESTATE_SERVER: named } = process.env;
  if (named !== undefined) return named;
  const name = `@restatedev/restate-server-${platform()}-${arch()}/bin/restate-server`;
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch {
    throw new Error(
      `no Restate binary found for ${platform()}-${arch()}: ` +
        'set RESTATE_SERVER to the path of a restate-server binary',
    );
  }
}

/** Below the range from which systems take the ports of outgoing connections. */
const PORTS = { from: 15_000, below: 32_000 };

/**
 * Free now; another server may take them at any time, but no connection of this machine. Those are
 * many under load, and each takes a port that was free a moment ago.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(PORTS.from, PORTS.below);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

async function waitUntilReady(
  url: string,
  child: ChildProcess | undefined,
  like = /^/,
): Promise<void> {
  const deadline = performance.now() + READY_MS_MAX;
  for (;;) {
    const isGood = await fetch(url, { signal: AbortSignal.timeout(1000) }).then(
      async (response) => response.ok && like.test(await response.text()),
      () => false,
    );
    if (isGood) return;
    if (child === undefined || isGone(child)) throw new Error('Restate exited before it was ready');
    if (performance.now() > deadline)
      throw new Error(`Restate was not ready within ${READY_MS_MAX / 1000} s`);
    await sleep(POLL_INTERVAL_MS);
  }
}
