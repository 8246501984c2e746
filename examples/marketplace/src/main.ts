//! Starts the shop: its database, its people, the events, the pages.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Holdfast } from '@holdfast/sdk';
import { readConfig } from './config.ts';
import { consumeEvents } from './events/consume-events.ts';
import { Live } from './events/live.ts';
import { settleUnknown } from './money/settle-unknown.ts';
import { seed } from './seed.ts';
import type { Shop } from './shop.ts';
import { openDatabase } from './store/database.ts';
import { startWeb } from './web/server.ts';

const SETTLE_MS = 3_000;

async function openShop(): Promise<Shop> {
  const config = readConfig();
  const holdfast = new Holdfast({ baseUrl: config.url, apiKey: config.apiKey });
  // One database for each marketplace: `holdfast dev` may have been reset since the last start.
  const { marketplaceId } = await holdfast.keys.current();
  const database = openDatabase(join(config.data, `${marketplaceId}.sqlite`));
  const shop: Shop = { config, holdfast, database, live: new Live(), busy: new Set() };
  await seed(shop);
  return shop;
}

async function settleFromTimeToTime(shop: Shop, signal: AbortSignal): Promise<void> {
  for (;;) {
    await settleUnknown(shop).catch((error: unknown) => complain(error));
    await sleep(SETTLE_MS, undefined, { signal });
  }
}

async function run(stopping: AbortController): Promise<void> {
  const shop = await openShop();
  const { signal } = stopping;
  const web = await startWeb(shop);
  process.stdout.write(`Driftwood is running at ${shop.config.publicUrl}\n`);
  try {
    // Events come from one source: the stream, unless a webhook secret is set. Without events the
    // shop would show wrong states, so it ends when its consumer does.
    await Promise.all([
      shop.config.webhookSecret === undefined && consumeEvents(shop, signal),
      settleFromTimeToTime(shop, signal),
    ]);
  } finally {
    shop.live.close();
    await web.close();
    shop.database.close();
  }
}

function complain(error: unknown): void {
  const { code, message } = error as NodeJS.ErrnoException;
  const text = code === 'EADDRINUSE' ? `${message}: set PORT to a free port` : message;
  process.stderr.write(`${error instanceof Error ? text : String(error)}\n`);
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

run(stopping).catch((error: unknown) => {
  if (stopping.signal.aborted) process.exit(0);
  complain(error);
  process.exit(1);
});
