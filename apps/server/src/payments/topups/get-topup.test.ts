import { expect, it } from 'vitest';
import { desk } from '../../testing/operators.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { openTopupWorld, requestTopup } from '../../testing/topups.ts';
import { useOpened } from '../../testing/use-world.ts';
import { getTopup } from './get-topup.ts';

const world = useOpened(openTopupWorld);

it('returns the top-up as it was created, to its own marketplace only', async () => {
  const [market, otherMarket] = [await world.market(), await world.market()];
  const topup = await requestTopup(world, market, { description: 'for the table' });
  expect(await getTopup(world.app, market.call, topup.id)).toEqual(topup);
  const refused = getTopup(world.app, otherMarket.call, topup.id);
  await expect(refused).rejects.toSatisfy(isRefusal('TOPUP_NOT_FOUND'));
});

it('hides the payer’s address from operators in every response; a key sees all of it', async () => {
  const market = await world.market();
  const metadata = {
    customer: 'ada@example.com',
    cart: { lines: ['1000.00', 'for bo@b.example'] },
  };
  const { id } = await requestTopup(world, market, {
    metadata,
    description: 'for ada@example.com',
  });
  const support = await desk(world, { role: 'support', marketplaceId: market.id });
  for (const [method, path] of [
    ['GET', `/topups/${id}`],
    ['GET', '/topups'],
    ['POST', `/topups/${id}/refresh`],
    ['POST', `/topups/${id}/cancel`],
  ] as const) {
    const { status, text } = await support.send(method, path);
    expect(status, text).toBe(200);
    expect(text).toContain(
      '{"customer":"a•••@e•••.com","cart":{"lines":["1000.00","for b•••@b•••.e',
    );
    expect(text).not.toMatch(/ada@|bo@/);
  }
  const { json } = await market.send('GET', `/topups/${id}`);
  expect(json.data.data).toMatchObject({ metadata });
});
