import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  askFor,
  availableOf,
  openTopupWorld,
  pressPay,
  type TopupWorld,
} from '../testing/topups.ts';
import type { Market } from '../testing/world.ts';
import { refreshTopups } from './refresh-topups.ts';

let world: TopupWorld;
let market: Market;
beforeAll(async () => {
  world = await openTopupWorld();
  market = await world.market();
});
afterAll(() => world.close());

const [returnUrl, cancelUrl] = ['http://localhost/thanks', 'http://localhost/sorry'];
/** Nobody in particular calls. */
const visit = (id: string, query = '') => world.send('GET', `/topups/${id}/callback${query}`);

describe('a payer who comes back', () => {
  it.each([
    ['?code=x&status=succeeded&amount=9', returnUrl],
    ['', returnUrl],
    ['?from=cancel&code=x', cancelUrl],
    ['?from=elsewhere&from=cancel', returnUrl],
  ])('with %s goes to %s, and nothing has changed', async (query, location) => {
    const topup = await askFor(world, market, { returnUrl, cancelUrl });
    const before = await world.rows('select status, updated_at from topup where id = $1', [
      topup.id,
    ]);
    const answer = await visit(topup.id, query);
    expect([answer.status, answer.headers['location']]).toEqual([302, location]);
    expect(
      await world.rows('select status, updated_at from topup where id = $1', [topup.id]),
    ).toEqual(before);
    expect(await availableOf(world, market, topup.userId)).toBe('0.00');
  });

  it('goes to our own address where the top-up named none', async () => {
    const { id } = await askFor(world, market);
    expect((await visit(id)).headers['location']).toBe('http://localhost:4400');
    const { id: other } = await askFor(world, market, { returnUrl });
    expect((await visit(other, '?from=cancel')).headers['location']).toBe(returnUrl);
  });

  it('makes us look at once, and not again within ten seconds', async () => {
    const { id, userId } = await askFor(world, market);
    const setLook = () =>
      world.rows(`update topup_look set next_look_at = now() + interval '1 hour'`);
    await setLook();
    await pressPay(world, id);
    await visit(id);
    await refreshTopups(world.app);
    expect(await availableOf(world, market, userId)).toBe('50.00');
    const other = await askFor(world, market);
    await setLook();
    await visit(other.id);
    await setLook();
    await visit(other.id);
    expect(await refreshTopups(world.app)).toBe(0);
  });

  it('to a top-up that does not exist is told so', async () => {
    expect((await visit('topup_00000000000000000000000000')).json.error.code).toBe(
      'TOPUP_NOT_FOUND',
    );
  });
});
