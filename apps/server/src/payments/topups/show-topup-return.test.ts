import { describe, expect, it } from 'vitest';
import { availableOf, pressPay, requestTopup, useTopupWorld } from '../../testing/topups.ts';
import { refreshTopups } from './refresh-topups.ts';

const { world, market } = useTopupWorld();

const [returnUrl, cancelUrl] = ['http://localhost/thanks', 'http://localhost/sorry'];
/** The caller is anonymous. */
const visit = (id: string, query = '') => world.send('GET', `/topups/${id}/callback${query}`);

describe('a payer who returns from the payment page', () => {
  it.each([
    ['?code=x&status=succeeded&amount=9', returnUrl],
    ['', returnUrl],
    ['?from=cancel&code=x', cancelUrl],
    ['?from=elsewhere&from=cancel', returnUrl],
  ])('with %s is redirected to %s, and nothing has changed', async (query, location) => {
    const topup = await requestTopup(world, market, { returnUrl, cancelUrl });
    const before = await world.rows('select status, updated_at from topup where id = $1', [
      topup.id,
    ]);
    const response = await visit(topup.id, query);
    expect([response.status, response.headers['location']]).toEqual([302, location]);
    expect(
      await world.rows('select status, updated_at from topup where id = $1', [topup.id]),
    ).toEqual(before);
    expect(await availableOf(world, market, topup.userId)).toBe('0.00');
  });

  it('is redirected to our own address where the top-up names none', async () => {
    const { id } = await requestTopup(world, market);
    expect((await visit(id)).headers['location']).toBe('http://localhost:4400');
    const { id: other } = await requestTopup(world, market, { returnUrl });
    expect((await visit(other, '?from=cancel')).headers['location']).toBe(returnUrl);
  });

  it('makes us poll at once, and not again within ten seconds', async () => {
    const { id, userId } = await requestTopup(world, market);
    const postponePoll = () =>
      world.rows(`update topup_poll set next_poll_at = now() + interval '1 hour'`);
    await postponePoll();
    await pressPay(world, id);
    await visit(id);
    await refreshTopups(world.worker);
    expect(await availableOf(world, market, userId)).toBe('50.00');
    const other = await requestTopup(world, market);
    await postponePoll();
    await visit(other.id);
    await postponePoll();
    await visit(other.id);
    expect(await refreshTopups(world.worker)).toBe(0);
  });

  it('gets 404 for a top-up that does not exist', async () => {
    expect((await visit('topup_00000000000000000000000000')).json.error.code).toBe(
      'TOPUP_NOT_FOUND',
    );
  });
});
