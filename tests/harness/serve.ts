//! A loopback HTTP server for the parts around the service; its handler gets complete requests.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Served {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Closes the connection if the client is gone or the handler fails. */
export async function serve(
  handle: (request: IncomingMessage, body: Buffer, response: ServerResponse) => unknown,
): Promise<Served> {
  const server = createServer((request, response) => {
    buffer(request)
      .then((body) => handle(request, body, response))
      .catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
