//! How the HTTP server ends without failing a request. A client that sends requests over open
//! connections has to leave each; a request that is on its way when the port closes is served.
import { Server } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Long enough for a request that a client sent before it saw the port closed. */
const LINGER_MS = 500;

export interface Drain {
  /** From now on every response has `Connection: close`. */
  start(): void;
  /** Closes the port, then everything else as its requests end. */
  close(): Promise<void>;
}

/** Before the server listens. */
export function drainOf(http: FastifyInstance): Drain {
  let isDraining = false;
  http.server.prependListener('request', (_request, response) => {
    if (isDraining) response.shouldKeepAlive = false;
  });
  return {
    start: () => {
      isDraining = true;
    },
    close: async () => {
      if (isDraining && http.server.listening) {
        // Right after waiting connections were accepted: one that is not would be reset.
        await setImmediate();
        // The method of http.Server would also close connections that look idle, though a request
        // may be on its way over them.
        Server.prototype.close.call(http.server);
        await sleep(LINGER_MS);
      }
      await http.close();
    },
  };
}
