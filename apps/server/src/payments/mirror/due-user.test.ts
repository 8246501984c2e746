import type { UserId } from '@holdfast/kernel/ids';
import { beforeEach, expect, it } from 'vitest';
import { transact } from '../../platform/database/transact.ts';
import { useOpenedEach, useWorld } from '../../testing/use-world.ts';
import {
  clearDue,
  clearWaits,
  type DueUser,
  hasMovedUnseen,
  listDue,
  markBooksDue,
  markMirrorDue,
  waitFor,
} from './due-user.ts';

const world = useWorld();
const market = useOpenedEach(() => world.market());
let userId: UserId;
beforeEach(async () => {
  userId = await market.user();
});

const within = <T>(work: Parameters<typeof transact<T>>[2]) =>
  transact(world.worker, market.call, work, 'read committed');
const due = (atMost = 10): Promise<DueUser[]> => within((tx) => listDue(tx, atMost));

it('shows a user once, the longest due first, up to a limit', async () => {
  const other = await market.user();
  await within(async (tx) => {
    await markMirrorDue(tx, userId);
    await markBooksDue(tx, [other, userId]);
  });
  const found = await due();
  expect(found.map((each) => [each.userId, each.rows.length])).toEqual([
    [userId, 2],
    [other, 1],
  ]);
  expect(await due(1)).toHaveLength(1);
});

it('clears what was observed, and nothing that came later', async () => {
  await within((tx) => markMirrorDue(tx, userId));
  const seen = await due();
  await within((tx) => markBooksDue(tx, [userId]));
  expect(await within((tx) => hasMovedUnseen(tx, userId))).toBe(true);
  await within((tx) => clearDue(tx, seen));
  expect(await due()).toHaveLength(1);
  // Only the books have changed since.
  expect(await within((tx) => hasMovedUnseen(tx, userId))).toBe(false);
});

it('leaves out users who wait, twice as long each time for the same reason', async () => {
  await within((tx) => markMirrorDue(tx, userId));
  const waits: number[] = [];
  for (const reason of ['NETWORK', 'NETWORK', 'NETWORK', 'ESCALATED'] as const) {
    const now = await within(async (tx) => {
      await waitFor(tx, userId, reason);
      return tx.now;
    });
    const [row] = await world.rows<{ until: Date }>(
      'select next_poll_at as until from mirror_backoff where user_id = $1',
      [userId],
    );
    waits.push((row?.until.getTime() ?? 0) - now);
  }
  expect(waits).toEqual([1000, 2000, 4000, 30_000]);
  expect(await due()).toEqual([]);
  await world.rows(`update mirror_backoff set next_poll_at = 'epoch' where user_id = $1`, [userId]);
  expect((await due())[0]?.waited).toEqual({ reason: 'ESCALATED', attempts: 1 });
  await within((tx) => clearWaits(tx, [userId]));
  expect((await due())[0]?.waited).toBeNull();
});
