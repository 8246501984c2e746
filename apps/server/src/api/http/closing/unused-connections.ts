//! Connections over which no request came yet, as load balancers and health checks open them. Node
//! does not count these as idle, so they would delay the end of the process.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Before the server listens. */
export function endUnusedConnections(http: FastifyInstance): void {
  const unused = new Set<Socket>();
  http.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  http.server.on('request', ({ socket }) => unused.delete(socket));
  http.addHook('preClose', async () => {
    for (const socket of unused) socket.destroy();
  });
}
