import { expect, it } from 'vitest';
import { inputOf, payeeWith, usePayoutWorld } from '../../testing/withdrawals.ts';
import type { Market } from '../../testing/world.ts';

const { world, market } = usePayoutWorld({ HOLDFAST_WITHDRAWALS_PER_USER: '2' });

it('counts per user and marketplace, and returns when to retry', async () => {
  const [one, other] = [await payeeWith(world, market), await payeeWith(world, market)];
  const send = (by: Market, body: object) => by.send('POST', '/withdrawals', { body });
  const small = { amount: '1.00' };
  const otherMarket = await world.market();
  // Naming a user of another marketplace uses up nothing of that user's limit.
  for (let index = 0; index < 3; index += 1) await send(otherMarket, inputOf(one, small));
  const responses = [];
  for (let index = 0; index < 3; index += 1)
    responses.push(await send(market, inputOf(one, small)));
  expect(responses.map(({ status }) => status)).toEqual([201, 201, 429]);
  const { json, headers } = responses[2] ?? {};
  expect(json.error).toMatchObject({
    code: 'RATE_LIMITED',
    details: { limit: 2, windowSeconds: 60, retryAfter: expect.any(Number) },
  });
  expect(Number(headers?.['retry-after'])).toBeGreaterThan(0);
  expect((await send(market, inputOf(other, small))).status).toBe(201);
});
