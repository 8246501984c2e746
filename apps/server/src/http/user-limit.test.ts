import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EscrowWorld } from '../testing/escrows.ts';
import { openPayoutWorld, payeeWith, wishOf } from '../testing/withdrawals.ts';
import type { Market } from '../testing/world.ts';

let world: EscrowWorld;
let market: Market;
beforeAll(async () => {
  world = await openPayoutWorld({ HOLDFAST_WITHDRAWALS_PER_USER: '2' });
  market = await world.market();
});
afterAll(() => world.close());

it('counts per user and marketplace, and says when to come back', async () => {
  const [one, other] = [await payeeWith(world, market), await payeeWith(world, market)];
  const send = (by: Market, body: object) => by.send('POST', '/withdrawals', { body });
  const small = { amount: '1.00' };
  const stranger = await world.market();
  // Whoever names a user that is not theirs uses up nothing of it.
  for (let index = 0; index < 3; index += 1) await send(stranger, wishOf(one, small));
  const answers = [];
  for (let index = 0; index < 3; index += 1) answers.push(await send(market, wishOf(one, small)));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 429]);
  const { json, headers } = answers[2] ?? {};
  expect(json.error).toMatchObject({
    code: 'RATE_LIMITED',
    details: { limit: 2, windowSeconds: 60, retryAfter: expect.any(Number) },
  });
  expect(Number(headers?.['retry-after'])).toBeGreaterThan(0);
  expect((await send(market, wishOf(other, small))).status).toBe(201);
});
