import { setTimeout as sleep } from 'node:timers/promises';
import { microsText } from '@holdfast/kernel/clock';
import { beforeAll, describe, expect, it } from 'vitest';
import { startWatch } from '../../../../cli/src/testing/machine-time.ts';
import type { Outlet } from '../../platform/outlet.ts';
import {
  listen,
  numbersOf,
  openSse,
  publish,
  publishSequenced,
  type SseReader,
  upTo,
} from '../../testing/sse.ts';
import { eventually } from '../../testing/until.ts';
import { useWorld } from '../../testing/use-world.ts';
import type { Market } from '../../testing/world.ts';
import { LOG_START } from './event-log.ts';

// No notifier here: the test sequences waiting events itself, and polling finds them.
const world = useWorld({ env: { HOLDFAST_STREAM_STALL_MS: '30000' } });
let base: string;
beforeAll(async () => {
  base = await listen(world);
});

/** Waits for so many, and checks that no more follow. */
async function expectNumbers(reader: SseReader, count: number, timeout = 8000): Promise<void> {
  await eventually(timeout, () => expect(reader.messages.length).toBeGreaterThanOrEqual(count));
  expect(numbersOf(reader.events)).toEqual(upTo(count));
}

/** A cursor within retention, and before everything that a test writes. */
function anHourAgo(): string {
  return `?since=${microsText((Date.now() - 3_600_000) * 1000)}`;
}

describe('a reader', () => {
  it('finds events within half a second without a notification', async () => {
    const market = await world.market();
    const reader = await openSse(base, { key: market.key });
    for (const round of [1, 2, 3]) {
      await publishSequenced(world, market, 1, round);
      const ran = await startWatch();
      await expectNumbers(reader, round);
      expect(ran()).toBeLessThan(900);
    }
    reader.close();
  });

  it('gets pages of the past, then live events, without gap or repeat, during writes', async () => {
    const market = await world.market();
    await publishSequenced(world, market, 2500);
    let last = 2500;
    const writing = (async () => {
      for (; last < 4000; last += 50) {
        await publishSequenced(world, market, 50, last + 1);
      }
    })();
    const readers = await Promise.all(
      upTo(5).map(async (round) => {
        await sleep(round * 60);
        return openSse(base, { key: market.key, query: anHourAgo() });
      }),
    );
    await writing;
    for (const reader of readers) {
      await expectNumbers(reader, last);
      reader.close();
    }
  });

  it('that falls far behind catches up, and misses nothing', async () => {
    const market = await world.market();
    const [slow, quick] = [
      await openSse(base, { key: market.key }),
      await openSse(base, { key: market.key }),
    ];
    slow.pause();
    for (let last = 0; last < 15_000; last += 3000) {
      await publishSequenced(world, market, 3000, last + 1);
    }
    await expectNumbers(quick, 15_000);
    expect(slow.messages.length).toBeLessThan(15_000);
    slow.resume();
    await expectNumbers(slow, 15_000);
    slow.close();
    quick.close();
  });

  it('receives the events of its own marketplace and no other', async () => {
    const markets = await Promise.all(upTo(4).map(() => world.market()));
    const readers = await Promise.all(
      markets.map(({ key }, at) => openSse(base, { key, query: at % 2 ? anHourAgo() : '' })),
    );
    for (const round of [1, 2]) {
      for (const market of markets) await publish(world, market, 20, (round - 1) * 20 + 1);
      await world.sequence();
    }
    for (const [at, reader] of readers.entries()) {
      await expectNumbers(reader, 40);
      const owners = new Set(reader.events.map(({ metadata }) => metadata.marketplaceId));
      expect(owners).toEqual(new Set([markets[at]?.id]));
      reader.close();
    }
  });
});

/** Keeps what it receives. */
function heldOutlet(isClosed = false): Outlet & { readonly text: string } {
  let text = '';
  return {
    isClosed,
    get text() {
      return text;
    },
    write: (chunk) => {
      text += chunk;
      return true;
    },
    drained: async () => undefined,
    onClose: () => undefined,
  };
}

function toAllOf(market: Market) {
  const { marketplace, marketplaceId } = market.call.actor;
  return { marketplace, marketplaceId, logPosition: LOG_START, types: null };
}

describe('a feed', () => {
  it('stays for its second reader when the first one left at once', async () => {
    const market = await world.market();
    const [left, stays] = [heldOutlet(true), heldOutlet()];
    await Promise.all([
      world.app.hub.attach(toAllOf(market), left),
      world.app.hub.attach(toAllOf(market), stays),
    ]);
    await publishSequenced(world, market, 1);
    await eventually(3000, () => expect(stays.text).toContain('event: user.created'));
    expect(left.text).toBe('');
  });
});
