//! The internal port of a process, for its host: whether it lives, has started and is ready, and
//! its metrics. It belongs on no public network.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Health } from './health.ts';

export interface Metrics {
  /** A content type. */
  readonly type: string;
  readonly text: string;
}

export interface InternalOptions {
  readonly host: string;
  /** 0 takes any free port; undefined disables the server. */
  readonly port: number | undefined;
  readonly health: Pick<Health, 'isReady'>;
  readonly metrics?: () => Promise<Metrics>;
}

export interface InternalServer {
  /** Undefined where it is disabled. */
  readonly url: string | undefined;
  /** The process serves from now on: before, it is neither started nor ready. */
  markStarted(): void;
  /** The process takes no more work, so it is not ready from now on; it still has started. */
  markDraining(): void;
  close(): Promise<void>;
}

/** Listens before the process has started, so that its host sees a slow start as one. */
export async function serveInternal(options: InternalOptions): Promise<InternalServer> {
  const { host, port, health, metrics } = options;
  let phase: 'starting' | 'serving' | 'draining' = 'starting';
  const isReady = async () =>
    phase === 'serving' && (await health.isReady().catch(() => false)) && phase === 'serving';
  const respond = async (path: string, response: ServerResponse): Promise<void> => {
    // That it replies shows that the event loop turns.
    if (path === '/live') return sendStatus(response, true);
    if (path === '/started') return sendStatus(response, phase !== 'starting');
    if (path === '/ready') return sendStatus(response, await isReady());
    if (path !== '/metrics' || metrics === undefined) return void response.writeHead(404).end();
    const { type, text } = await metrics();
    response.writeHead(200, { 'content-type': type }).end(text);
  };
  const marks = {
    markStarted: () => {
      if (phase === 'starting') phase = 'serving';
    },
    markDraining: () => {
      phase = 'draining';
    },
  };
  if (port === undefined) return { url: undefined, ...marks, close: async () => undefined };
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    respond(path, response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    ...marks,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function sendStatus(response: ServerResponse, holds: boolean): void {
  response.writeHead(holds ? 200 : 503, { 'cache-control': 'no-store' }).end();
}
