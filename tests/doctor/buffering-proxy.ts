//! A proxy that passes an answer on when it is complete, as many do unless they are told otherwise.
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BufferingProxy {
  readonly url: string;
  stop(): void;
}

export async function startBufferingProxy(target: string): Promise<BufferingProxy> {
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const asked = request(new URL(url ?? '/', target), { method, headers }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        outgoing.end(Buffer.concat(pieces));
      });
    });
    asked.on('error', () => outgoing.destroy());
    outgoing.on('close', () => asked.destroy());
    incoming.pipe(asked);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
