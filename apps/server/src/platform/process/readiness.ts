//! Readiness on an internal port, for a load balancer: 200 when this process can take requests.
import { createServer } from 'node:http';
import type { Health } from './health.ts';

export async function serveReadiness(
  port: number | undefined,
  health: Health,
): Promise<{ close(): Promise<void> }> {
  if (port === undefined) return { close: async () => undefined };
  let isClosing = false;
  const server = createServer((_request, response) => {
    void health.isReady().then((isReady) => {
      response.writeHead(isReady && !isClosing ? 200 : 503).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    close: async () => {
      isClosing = true;
      server.close();
    },
  };
}
