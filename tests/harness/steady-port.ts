//! A port for a process that is killed and restarted: no other process gets it meanwhile.
import { createServer } from 'node:net';
import type { SeededRandom } from './random.ts';

/** Below the ports that systems use for outgoing connections, above the well-known ones. */
const PORTS = { least: 20_000, spread: 12_000 };
const TRIES_MAX = 100;

export async function steadyPort(random: SeededRandom): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = PORTS.least + random.below(PORTS.spread);
    if (await isFree(port)) return port;
  }
  throw new Error('there is no free port');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
