//! How the HTTP server ends without failing a request: the port closes first, then every client has
//! time to leave the connections that it has.
import { Server } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** More than `keepalive_timeout` in deploy/nginx, after which nginx leaves an idle connection. */
const LEAVE_MS_MAX = 3000;
const POLL_MS = 25;
const SHORT_ROUND_MS = 0.2;
const ROUNDS_MAX = 200;

/** Responses have `Connection: close` from now on, over connections that are open already. */
export async function closeAfterClients(
  http: FastifyInstance,
  leaveMsMax = LEAVE_MS_MAX,
): Promise<void> {
  http.server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  if (http.server.listening) {
    await untilNoneWaits(http);
    // The method of http.Server would also close connections that look idle, though a request may
    // be on its way over them.
    Server.prototype.close.call(http.server);
    await haveLeft(http, leaveMsMax);
  }
  await http.close();
}

/**
 * Ends when no connection waits to be accepted: those are reset when the port closes. The event
 * loop accepts one in each round, and a long round leaves time for the next to come.
 */
async function untilNoneWaits({ server }: FastifyInstance): Promise<void> {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on('connection', count);
  // The first round may have started before this.
  await setImmediate();
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const [before, startedAt] = [accepted, performance.now()];
    await setImmediate();
    if (accepted === before && performance.now() - startedAt < SHORT_ROUND_MS) break;
  }
  server.off('connection', count);
}

/** Open event streams stay to the end: they are closed together with the server. */
async function haveLeft(http: FastifyInstance, msMax: number): Promise<void> {
  const connections = () =>
    new Promise<number>((resolve) => {
      http.server.getConnections((_error, open) => resolve(open));
    });
  const until = performance.now() + msMax;
  while ((await connections()) > 0 && performance.now() < until) await sleep(POLL_MS);
}
