//! Tests that a person has to lift a pause, and give a reason.
import { manualClock } from '@holdfast/kernel/clock';
import { describe, expect, it } from 'vitest';
import { pausePayouts } from '../../payments/withdrawals/payouts-pause.ts';
import { transact } from '../../platform/database/transact.ts';
import { refusalOf } from '../../testing/escrows.ts';
import { type Desk, desk, nextCode } from '../../testing/operators.ts';
import { useMarket } from '../../testing/use-world.ts';
import { masterCall } from '../../testing/world.ts';
import { resumePayouts } from './resume-payouts.ts';

const clock = manualClock(Date.now());
const { world, market } = useMarket({ clock });

describe('a pause', () => {
  it('is lifted by the master key with a reason, which only the master key can read', async () => {
    await transact(world.app, market.call, (tx) => pausePayouts(tx, 'by hand'));
    const own = await market.send('GET', '/solvency');
    expect(own.json.data.data).toMatchObject({ payoutsPaused: true, pauseReason: null });
    const body = { reason: 'looked into it' };
    expect((await market.send('POST', '/solvency/resume-payouts', { body })).status).toBe(403);
    const key = world.masterKey;
    const lifted = await world.send('POST', '/solvency/resume-payouts', { key, body });
    expect(lifted.json.data.data).toMatchObject({
      payoutsPaused: false,
      lastResumed: { resumedBy: 'master', reason: 'looked into it' },
    });
    const after = await market.send('GET', '/solvency');
    expect(after.json.data.data).toMatchObject({ payoutsPaused: false, lastResumed: null });
    const refusal = await refusalOf(resumePayouts(world.app, masterCall(), body));
    expect(refusal.code).toBe('INVALID_STATE');
  });

  it('is lifted by two platform admins of any marketplace, and by no other operator', async () => {
    await transact(world.app, market.call, (tx) => pausePayouts(tx, 'by hand'));
    const resume = (by: Desk) => {
      clock.advance(60_000);
      const body = { reason: 'looked into it', totp: nextCode(world, by) };
      return by.send('POST', '/solvency/resume-payouts', { body });
    };
    const admin = await desk(world, { marketplaceId: market.id, role: 'admin' });
    expect((await resume(admin)).status).toBe(403);
    const platform = await desk(world, {
      marketplaceId: market.id,
      role: 'viewer',
      isPlatformAdmin: true,
    });
    const requested = await resume(platform);
    expect(requested.json.data.data).toMatchObject({
      payoutsPaused: true,
      resumeRequested: { requestedBy: platform.id, reason: 'looked into it' },
    });
    expect((await resume(platform)).json.error.code).toBe('SECOND_APPROVER_REQUIRED');
    const second = await desk(world, { isPlatformAdmin: true });
    await world.rows(`update operator set status = 'DISABLED' where id = $1`, [platform.id]);
    const third = await desk(world, { isPlatformAdmin: true });
    expect((await resume(third)).json.data.data, 'the requester is gone').toMatchObject({
      payoutsPaused: true,
      resumeRequested: { requestedBy: third.id },
    });
    const byMaster = await world.send('POST', '/solvency/resume-payouts', {
      key: world.masterKey,
      body: { reason: 'looked into it' },
    });
    expect(byMaster.json.error.code).toBe('PLATFORM_ADMIN_REQUIRED');
    const { status, json } = await resume(second);
    expect(status).toBe(200);
    expect(json.data.data).toMatchObject({
      payoutsPaused: false,
      resumeRequested: null,
      lastResumed: { resumedBy: second.id, reason: 'looked into it' },
      marketplace: null,
    });
  });
});
