import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  askFor,
  auditTopups,
  availableOf,
  openTopupWorld,
  postingsOf,
  pressPay,
  type TopupWorld,
  topupIn,
} from '../testing/topups.ts';
import { until } from '../testing/until.ts';
import type { Market } from '../testing/world.ts';
import { getTopup } from './get-topup.ts';
import { refreshTopups } from './refresh-topups.ts';
import { waitAfter } from './topup-look.ts';

let world: TopupWorld;
let market: Market;
beforeEach(async () => {
  world = await openTopupWorld();
  market = await world.market();
});
afterEach(async () => {
  expect(await auditTopups(world)).toEqual([]);
  await world.close();
});

const looksAt = (id: string) =>
  world.rows<{ next_look_at: string }>('select next_look_at from topup_look where topup_id = $1', [
    id,
  ]);

it('every webhook lost: all end right by looking alone, with four workers', async () => {
  await world.takeWebhooks();
  await world.sandbox.arm('payment', 'webhook', 'drop-webhook', 1000);
  const topups = await Promise.all(Array.from({ length: 20 }, () => askFor(world, market)));
  const ends = ['CONFIRMED', 'CONFIRMED', 'FAILED', 'CANCELED'] as const;
  for (const [at, { id }] of topups.entries())
    await world.sandbox.setPayin(id, ends[at % ends.length] ?? 'CONFIRMED');
  // In real time: the first look is two seconds after the page was opened.
  await until(async () => {
    await Promise.all(Array.from({ length: 4 }, () => refreshTopups(world.app)));
    return (await world.rows('select from topup_look')).length === 0;
  });
  for (const [at, { id, userId }] of topups.entries()) {
    const isPaid = ends[at % ends.length] === 'CONFIRMED';
    expect(await postingsOf(world, id)).toEqual(isPaid ? ['topup 5000 USD'] : []);
    expect(await availableOf(world, market, userId)).toBe(isPaid ? '50.00' : '0.00');
    expect(await getTopup(world.app, market.call, id)).toMatchObject({
      status: `TOPUP_${{ CONFIRMED: 'SUCCEEDED', FAILED: 'FAILED', CANCELED: 'CANCELED' }[ends[at % 4] ?? 'FAILED']}`,
    });
  }
  expect(await world.rows('select from inbox')).toEqual([]);
  await world.sandbox.clearFaults();
});

describe('looks', () => {
  it('grow rarer with age, and never end before the provider says something final', () => {
    const [second, minute, day] = [1000, 60_000, 86_400_000];
    expect([0, 2 * second, 10 * second, 4 * minute, day, 19 * day].map(waitAfter)).toEqual([
      2 * second,
      2 * second,
      5 * second,
      2 * minute,
      10 * minute,
      10 * minute,
    ]);
    expect(waitAfter(100 * day)).toBe(day);
  });

  it('are one worker’s each', async () => {
    const { payments } = world.app;
    let looks = 0;
    const counting = {
      ...world.app,
      payments: {
        findPayin: async (code: string) => {
          looks += 1;
          await sleep(50);
          return (payments as NonNullable<typeof payments>).findPayin(code);
        },
      } as NonNullable<typeof payments>,
    };
    const topup = await askFor(world, market);
    await world.rows('update topup_look set next_look_at = since');
    await Promise.all(Array.from({ length: 5 }, () => refreshTopups(counting)));
    expect(looks).toBe(1);
    expect(await looksAt(topup.id)).toHaveLength(1);
  });

  it('that see nothing come again; what a dying worker had taken too', async () => {
    const topup = await askFor(world, market);
    const away = { findPayin: async () => ({ kind: 'unknown', reason: 'silent' }) };
    await world.rows('update topup_look set next_look_at = since');
    await refreshTopups({ ...world.app, payments: away as never });
    expect(await looksAt(topup.id)).toHaveLength(1);
    await pressPay(world, topup.id);
    await world.runLooks();
    expect(await availableOf(world, market, topup.userId)).toBe('50.00');
  });

  it('go on for a top-up whose creation never got an answer', async () => {
    const topup = await topupIn(world, market, 'TOPUP_CREATED');
    await world.runLooks();
    expect(await looksAt(topup.id)).toHaveLength(1);
    await world.sandbox.clearFaults();
    await world.engine.runWorker();
    await world.sandbox.setPayin(topup.id, 'CONFIRMED');
    await world.runLooks();
    expect(await postingsOf(world, topup.id)).toEqual(['topup 5000 USD']);
  });
});
