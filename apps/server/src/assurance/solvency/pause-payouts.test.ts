import { manualClock } from '@holdfast/kernel/clock';
import { expect, it } from 'vitest';
import { type Desk, desk, nextCode } from '../../testing/operators.ts';
import { useMarket } from '../../testing/use-world.ts';

const clock = manualClock(Date.now());
const { world, market } = useMarket({ clock });

it('is set by hand with a reason, and a request to lift the last one is gone', async () => {
  const [one, other] = [
    await desk(world, { isPlatformAdmin: true }),
    await desk(world, { isPlatformAdmin: true }),
  ];
  const send = (by: Desk, path: string) => by.send('POST', path, { body: { reason: 'a doubt' } });
  const resume = (by: Desk) => {
    clock.advance(60_000);
    const body = { reason: 'a doubt', totp: nextCode(world, by) };
    return by.send('POST', '/solvency/resume-payouts', { body });
  };
  expect((await market.send('POST', '/payouts/pause', { body: { reason: 'x' } })).status).toBe(403);
  const paused = await send(one, '/payouts/pause');
  expect(paused.json.data.data).toMatchObject({ payoutsPaused: true, pauseReason: 'a doubt' });
  expect((await send(other, '/payouts/pause')).status).toBe(200);
  await resume(one);
  await resume(other);
  await send(one, '/payouts/pause');
  const again = await resume(other);
  expect(again.json.data.data).toMatchObject({
    payoutsPaused: true,
    resumeRequested: { requestedBy: other.id },
  });
  await send(one, '/payouts/pause');
  const [stale] = await world.rows('select resume_requested_by from payouts_pause');
  expect(stale, 'a pause ends a request to resume').toEqual({ resume_requested_by: null });
  const audited = await world.rows(
    `select action, actor_id from audit where resource_id = 'payouts' order by id desc limit 6`,
  );
  expect(audited.reverse()).toEqual([
    { action: 'PAYOUTS_PAUSED', actor_id: other.id },
    { action: 'PAYOUTS_RESUME_REQUESTED', actor_id: one.id },
    { action: 'PAYOUTS_RESUMED', actor_id: other.id },
    { action: 'PAYOUTS_PAUSED', actor_id: one.id },
    { action: 'PAYOUTS_RESUME_REQUESTED', actor_id: other.id },
    { action: 'PAYOUTS_PAUSED', actor_id: one.id },
  ]);
});
