//! Settings: Holdfast's address and key, the shop's own address, and its data folder.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Config {
  /** Of Holdfast, such as http://127.0.0.1:4400. */
  readonly url: string;
  /** Never leaves this process: browsers talk to the shop, and the shop talks to Holdfast. */
  readonly apiKey: string;
  readonly port: number;
  /** How browsers reach the shop; the payment page sends its payers back here. */
  readonly publicUrl: string;
  /** A folder for the shop's own database. */
  readonly data: string;
  /** With a secret, events come by webhook instead of the stream. */
  readonly webhookSecret: string | undefined;
}

/** The file that `holdfast dev` writes in its folder while it runs. */
const DEV_FILE = '.holdfast/dev.json';

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const named = env['HOLDFAST_URL'];
  // A key of `holdfast dev` never goes to a server that was named.
  const dev = named === undefined ? findDev(process.cwd()) : { api: named };
  const apiKey = env['HOLDFAST_API_KEY'] ?? dev?.apiKey;
  if (dev === undefined || apiKey === undefined) {
    throw new Error(
      'Holdfast was not found. Start `holdfast dev` in this folder or in one above it, or set ' +
        'HOLDFAST_URL and HOLDFAST_API_KEY.',
    );
  }
  const port = Number(env['PORT'] ?? 3000);
  return {
    url: dev.api,
    apiKey,
    port,
    publicUrl: env['SHOP_URL'] ?? `http://localhost:${port}`,
    data: env['SHOP_DATA'] ?? '.data',
    webhookSecret: env['HOLDFAST_WEBHOOK_SECRET'],
  };
}

interface Dev {
  readonly api: string;
  readonly apiKey?: string;
}

function findDev(folder: string): Dev | undefined {
  const file = join(folder, DEV_FILE);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Dev;
  const above = dirname(folder);
  return above === folder ? undefined : findDev(above);
}
