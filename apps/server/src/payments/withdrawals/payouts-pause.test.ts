import { expect, it } from 'vitest';
import { systemCall } from '../../platform/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { type Tx, transact } from '../../platform/database/transact.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { useOpenedEach } from '../../testing/use-world.ts';
import { openWorld } from '../../testing/world.ts';
import {
  findPause,
  findResumption,
  pausePayouts,
  refuseWhilePaused,
  resumePayouts,
} from './payouts-pause.ts';

const world = useOpenedEach(openWorld);

const inTx = <T>(work: (tx: Tx) => Promise<T>, marketplace = '1') =>
  transact(world.app, systemCall(marketplace), work);

it('there is one pause for all marketplaces; it keeps its first reason, and ends', async () => {
  await inTx(refuseWhilePaused);
  expect(await inTx(findPause)).toBeUndefined();
  expect(await inTx(findResumption)).toBeUndefined();
  expect(await inTx((tx) => pausePayouts(tx, 'a doubled payout'))).toBe(true);
  expect(await inTx((tx) => pausePayouts(tx, 'another'), '2')).toBe(false);
  expect(await inTx(findPause, '2')).toMatchObject({
    reason: 'a doubled payout',
    pausedBy: 'system',
  });
  expect(await inTx(findResumption)).toBeUndefined();
  await expect(inTx(refuseWhilePaused, '3')).rejects.toSatisfy(isRefusal('PAYOUTS_PAUSED'));
  expect(await inTx((tx) => resumePayouts(tx, 'explained', 'master'))).toBe(true);
  expect(await inTx((tx) => resumePayouts(tx, 'again', 'master'))).toBe(false);
  await inTx(refuseWhilePaused, '3');
  expect(await inTx(findResumption)).toMatchObject({ reason: 'explained', resumedBy: 'master' });
  expect(await world.rows('select reason, changed_by, paused_at from payouts_pause')).toEqual([
    { reason: 'explained', changed_by: 'master', paused_at: null },
  ]);
});

it('the master key’s transactions can change it too', async () => {
  const call = { ...systemCall('0'), actor: { kind: 'master', id: 'master' } } as const;
  expect(await transact(world.app, call, (tx) => pausePayouts(tx, 'by hand'))).toBe(true);
  expect(await inTx(findPause)).toMatchObject({ pausedBy: 'master' });
  expect(await transact(world.app, call, (tx) => resumePayouts(tx, 'over', 'master'))).toBe(true);
});

it('a worker pauses, and neither resumes nor changes a pause', async () => {
  const asWorker = <T>(work: (tx: Tx) => Promise<T>) =>
    transact(world.worker, systemCall('1'), work);
  await expect(
    asWorker((tx) => tx.query(sql`update payouts_pause set paused_at = null, reason = 'none'`)),
  ).rejects.toThrow(/row-level security/);
  expect(await asWorker((tx) => pausePayouts(tx, 'a doubled payout'))).toBe(true);
  const changed = sql`update payouts_pause set paused_at = null where true returning is_singleton`;
  expect(await asWorker((tx) => tx.query(changed))).toEqual([]);
  await expect(asWorker((tx) => resumePayouts(tx, 'over', 'system'))).rejects.toThrow(
    /permission denied/,
  );
  expect(await inTx(findPause)).toMatchObject({ reason: 'a doubled payout' });
});

it('the table never has a second row', async () => {
  await expect(
    world.rows('insert into payouts_pause (is_singleton) values (false)'),
  ).rejects.toThrow(/singleton_check/);
  await expect(world.rows('insert into payouts_pause default values')).rejects.toThrow(/pkey/);
});
