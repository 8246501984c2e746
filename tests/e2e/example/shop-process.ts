//! Starts examples/marketplace as a user would, against a running set.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePorts } from '../../../apps/cli/src/local-restate.ts';

const FOLDER = join(import.meta.dirname, '../../../examples/marketplace');
const READY_MS_MAX = 60_000;

export interface ShopProcess {
  readonly url: string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

export interface ShopOptions {
  readonly ready: { readonly api: string; readonly apiKey: string };
  /** The folder of its database, which survives a restart. */
  readonly data: string;
  readonly port?: number;
  readonly env?: Record<string, string>;
}

export async function startShop({ ready, data, port, env }: ShopOptions): Promise<ShopProcess> {
  const own = port ?? (await freePorts(1))[0];
  const url = `http://127.0.0.1:${own}`;
  const child = spawn('npm', ['start', '--silent'], {
    cwd: FOLDER,
    // Its own process group, because npm does not forward signals.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      HOLDFAST_URL: ready.api,
      HOLDFAST_API_KEY: ready.apiKey,
      PORT: String(own),
      SHOP_URL: url,
      SHOP_DATA: data,
      ...env,
    },
  });
  const gone = once(child, 'exit');
  await firstLine(child);
  return {
    url,
    async kill(signal) {
      process.kill(-(child.pid as number), signal);
      await gone;
    },
  };
}

function firstLine(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('the shop did not start')), READY_MS_MAX);
    child.once('exit', (code) => reject(new Error(`the shop ended with ${code}`)));
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).once('line', () => {
      clearTimeout(late);
      resolve();
    });
  });
}
