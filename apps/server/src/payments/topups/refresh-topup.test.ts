import type { TopupId } from '@holdfast/kernel/ids';
import { describe, expect, it } from 'vitest';
import type { NewPayin } from '../../providers/payments/payment-provider.ts';
import { isRefusal } from '../../testing/refusal.ts';
import {
  availableOf,
  eventsOf,
  postingsOf,
  pressPay,
  requestTopup,
  topupIn,
  useTopupWorld,
} from '../../testing/topups.ts';
import { refreshTopup } from './refresh-topup.ts';

const { world, market } = useTopupWorld();

const refresh = (id: Parameters<typeof refreshTopup>[2]) =>
  refreshTopup(world.app, market.call, id);

describe('a refresh at the provider', () => {
  it('changes nothing while the provider has nothing new', async () => {
    const topup = await requestTopup(world, market);
    const { updatedAt: _, ...before } = topup;
    expect(await refresh(topup.id)).toMatchObject(before);
    expect(await eventsOf(world, topup.id)).toHaveLength(2);
  });

  it('finds a payment and credits it once, however many callers refresh', async () => {
    const topup = await requestTopup(world, market);
    await pressPay(world, topup.id);
    await Promise.all(Array.from({ length: 6 }, () => refresh(topup.id)));
    expect(await refresh(topup.id)).toMatchObject({ status: 'TOPUP_SUCCEEDED' });
    expect(await postingsOf(world, topup.id)).toEqual(['topup 5000 USD', 'topup_fee 60 USD']);
    expect(await availableOf(world, market, topup.userId)).toBe('50.00');
  });

  it.each([
    ['PROCESSING', 'TOPUP_PROCESSING', 'topup.processing'],
    ['FAILED', 'TOPUP_FAILED', 'topup.failed'],
    ['CANCELED', 'TOPUP_CANCELED', 'topup.canceled'],
  ] as const)('finds it %s', async (found, status, event) => {
    const topup = await requestTopup(world, market);
    if (found === 'PROCESSING') await pressPay(world, topup.id, { isSlow: true });
    else await world.sandbox.setPayin(topup.id, found);
    expect(await refresh(topup.id)).toMatchObject({ status });
    expect((await eventsOf(world, topup.id)).at(-1)).toBe(event);
  });

  it('opens the payment page of a creation whose reply was lost', async () => {
    const { payments } = world.worker;
    const lost = {
      createPayin: async (payin: NewPayin) => {
        await payments?.createPayin(payin);
        return { kind: 'unknown', reason: 'lost' };
      },
    };
    const userId = await market.user();
    Object.assign(world.worker, { payments: lost });
    await expect(requestTopup(world, market, { userId })).rejects.toSatisfy(
      isRefusal('PROVIDER_TIMEOUT'),
    );
    Object.assign(world.worker, { payments });
    const [row] = await world.rows<{ id: TopupId }>('select id from topup where user_id = $1', [
      userId,
    ]);
    const found = await refresh(row?.id ?? 'topup_none');
    expect(found.confirmationUri).toContain('/payin/');
    expect(await world.engine.runWorker()).toBe(0);
    expect(await eventsOf(world, found.id)).toEqual([
      'topup.created',
      'topup.confirmation_required',
    ]);
  });

  it('refuses with PROVIDER_TIMEOUT when the provider is silent, and changes nothing', async () => {
    const topup = await requestTopup(world, market);
    const away = { findPayin: async () => ({ kind: 'unknown', reason: '' }) };
    const deps = { ...world.app, payments: away as never };
    await expect(refreshTopup(deps, market.call, topup.id)).rejects.toSatisfy(
      isRefusal('PROVIDER_TIMEOUT'),
    );
  });

  it('finds a reversal of a payment that came in, and was not polled any more', async () => {
    const topup = await topupIn(world, market, 'TOPUP_SUCCEEDED');
    await world.sandbox.control('POST', `/payins/${topup.id}/reverse`);
    expect(await refresh(topup.id)).toMatchObject({ reversed: 5000n });
  });

  it('returns a top-up that has failed for certain without calling the provider', async () => {
    const topup = await topupIn(world, market, 'TOPUP_FAILED');
    const alone = { ...world.app, payments: undefined };
    const found = await refreshTopup(alone, market.call, topup.id);
    expect(found.status).toBe('TOPUP_FAILED');
  });
});
