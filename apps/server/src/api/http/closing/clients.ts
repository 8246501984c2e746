//! How the HTTP server ends without failing a request: the port closes first, then every client has
//! time to leave the connections that it has.
import type { ServerResponse } from 'node:http';
import { Server, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { CLIENTS_LEAVE_MS, PORT_CLOSES_MS } from '../../../platform/config/settings.ts';

const POLL_MS = 25;
const SHORT_ROUND_MS = 0.2;

export interface Clients {
  /**
   * Closes the port, and ends when all clients have left, or with the time that they have. Close
   * the server itself after that.
   */
  leave(outOfTime: AbortSignal, msMax?: number): Promise<void>;
}

/** From before the server listens. */
export function watchClients(http: FastifyInstance): Clients {
  const unused = new Set<Socket>();
  const responses = new Set<ServerResponse>();
  let isClosing = false;
  http.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  http.server.prependListener('request', ({ socket }, response: ServerResponse) => {
    unused.delete(socket);
    if (isClosing) response.shouldKeepAlive = false;
    responses.add(response);
    response.once('close', () => responses.delete(response));
  });
  /** Responses have `Connection: close` from now on, those to requests in progress too. */
  const closeAfterResponses = () => {
    isClosing = true;
    for (const response of responses) response.shouldKeepAlive = false;
  };
  return {
    leave: async (outOfTime, msMax = CLIENTS_LEAVE_MS) => {
      if (!outOfTime.aborted) await untilNoneWaits(http);
      // The method of http.Server would also close connections that look idle, though a request may
      // be on its way over them.
      Server.prototype.close.call(http.server);
      // Not before: a client that is made to leave connects again, while the port is open here.
      closeAfterResponses();
      await haveLeft(http, outOfTime, msMax);
      // Load balancers open connections ahead of their requests. Node does not count these as idle,
      // so they would delay the end of the process.
      for (const socket of unused) socket.destroy();
    },
  };
}

/**
 * Ends when no connection waits to be accepted, or out of time: those that wait are reset when the
 * port closes. The event loop accepts one in each round, and a long round leaves time for the
 * next to come.
 */
async function untilNoneWaits({ server }: FastifyInstance): Promise<void> {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on('connection', count);
  // The first round may have started before this.
  await setImmediate();
  const until = performance.now() + PORT_CLOSES_MS;
  while (performance.now() < until) {
    const [before, startedAt] = [accepted, performance.now()];
    await setImmediate();
    if (accepted === before && performance.now() - startedAt < SHORT_ROUND_MS) break;
  }
  server.off('connection', count);
}

/** Open event streams stay to the end: they are closed together with the server. */
async function haveLeft(
  http: FastifyInstance,
  outOfTime: AbortSignal,
  msMax: number,
): Promise<void> {
  const connections = () =>
    new Promise<number>((resolve) => {
      http.server.getConnections((_error, open) => resolve(open));
    });
  const until = performance.now() + msMax;
  while ((await connections()) > 0 && performance.now() < until && !outOfTime.aborted)
    await sleep(POLL_MS);
}
