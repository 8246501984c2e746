import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { setTopupsDue } from '../../testing/due.ts';
import { auditBooks } from '../../testing/escrows.ts';
import {
  availableOf,
  openTopupWorld,
  postingsOf,
  pressPay,
  requestTopup,
  topupIn,
} from '../../testing/topups.ts';
import { until } from '../../testing/until.ts';
import { useOpenedEach } from '../../testing/use-world.ts';
import { getTopup } from './read-topups.ts';
import { refreshTopups } from './refresh-topups.ts';
import { waitAfter } from './topup-poll.ts';

const world = useOpenedEach(openTopupWorld);
const market = useOpenedEach(() => world.market());
afterEach(async () => expect(await auditBooks(world)).toEqual([]));

const pollsOf = (id: string) =>
  world.rows<{ next_poll_at: string }>('select next_poll_at from topup_poll where topup_id = $1', [
    id,
  ]);

it('four workers end every top-up correctly by polling when all webhooks are lost', async () => {
  await world.takeWebhooks();
  await world.sandbox.arm('payment', 'webhook', 'drop-webhook', 1000);
  const topups = await Promise.all(Array.from({ length: 20 }, () => requestTopup(world, market)));
  const ends = ['CONFIRMED', 'CONFIRMED', 'FAILED', 'CANCELED'] as const;
  for (const [at, { id }] of topups.entries())
    await world.sandbox.setPayin(id, ends[at % ends.length] ?? 'CONFIRMED');
  // In real time: the first poll is two seconds after the page was opened.
  await until(async () => {
    await Promise.all(Array.from({ length: 4 }, () => refreshTopups(world.worker)));
    return (await world.rows('select from topup_poll')).length === 0;
  });
  for (const [at, { id, userId }] of topups.entries()) {
    const isPaid = ends[at % ends.length] === 'CONFIRMED';
    expect(await postingsOf(world, id)).toEqual(
      isPaid ? ['topup 5000 USD', 'topup_fee 60 USD'] : [],
    );
    expect(await availableOf(world, market, userId)).toBe(isPaid ? '50.00' : '0.00');
    expect(await getTopup(world.app, market.call, id)).toMatchObject({
      status: `TOPUP_${{ CONFIRMED: 'SUCCEEDED', FAILED: 'FAILED', CANCELED: 'CANCELED' }[ends[at % 4] ?? 'FAILED']}`,
    });
  }
  expect(await world.rows('select from inbox')).toEqual([]);
  await world.sandbox.clearFaults();
});

describe('polls', () => {
  it('become rarer with age, and never stop before the provider reports a final status', () => {
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

  it('are made by one worker each', async () => {
    const { payments } = world.worker;
    let polls = 0;
    const counting = {
      ...world.worker,
      payments: {
        findPayin: async (code: string) => {
          polls += 1;
          await sleep(50);
          return (payments as NonNullable<typeof payments>).findPayin(code);
        },
      } as NonNullable<typeof payments>,
    };
    const topup = await requestTopup(world, market);
    await setTopupsDue(world);
    await Promise.all(Array.from({ length: 5 }, () => refreshTopups(counting)));
    expect(polls).toBe(1);
    expect(await pollsOf(topup.id)).toHaveLength(1);
  });

  it('that find nothing are repeated; so are those that a dying worker had claimed', async () => {
    const topup = await requestTopup(world, market);
    const away = { findPayin: async () => ({ kind: 'unknown', reason: 'silent' }) };
    await setTopupsDue(world);
    await refreshTopups({ ...world.worker, payments: away as never });
    expect(await pollsOf(topup.id)).toHaveLength(1);
    await pressPay(world, topup.id);
    await world.runPolls();
    expect(await availableOf(world, market, topup.userId)).toBe('50.00');
  });

  it('continue for a top-up whose creation never got a reply', async () => {
    const topup = await topupIn(world, market, 'TOPUP_CREATED');
    await world.runPolls();
    expect(await pollsOf(topup.id)).toHaveLength(1);
    await world.sandbox.clearFaults();
    await world.engine.runWorker();
    await world.sandbox.setPayin(topup.id, 'CONFIRMED');
    await world.runPolls();
    expect(await postingsOf(world, topup.id)).toEqual(['topup 5000 USD', 'topup_fee 60 USD']);
  });
});
