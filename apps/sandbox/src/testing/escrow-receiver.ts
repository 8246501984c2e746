//! A receiver of webhooks on loopback: records requests, and responds with the set statuses.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly server: Server;
  readonly received: readonly Received[];
  /** The statuses of the next responses; 200 when there are no more. */
  readonly statuses: number[];
  /** Resolves once that many have come. */
  wait(count: number): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const statuses: number[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
      response.writeHead(statuses.shift() ?? 200, { location: '/elsewhere' }).end('{}');
      for (const each of waiting) if (received.length >= each.count) each.resolve();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const wait = (count: number) =>
    new Promise<void>((resolve) => {
      if (received.length >= count) resolve();
      else waiting.push({ count, resolve });
    });
  return { url: `http://127.0.0.1:${port}/hook`, server, received, statuses, wait };
}
