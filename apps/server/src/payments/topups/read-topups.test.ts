import { instantText } from '@holdfast/kernel/clock';
import { expect, it } from 'vitest';
import { desk } from '../../testing/operators.ts';
import { openTopupWorld, requestTopup, topupIn } from '../../testing/topups.ts';
import { useOpened } from '../../testing/use-world.ts';
import { getTopup, listTopups } from './read-topups.ts';

const world = useOpened(openTopupWorld);

it('returns the top-up as it was created', async () => {
  const market = await world.market();
  const topup = await requestTopup(world, market, { description: 'for the table' });
  expect(await getTopup(world.app, market.call, topup.id)).toEqual(topup);
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

it('lists top-ups newest first, by any combination of filters', async () => {
  const market = await world.market();
  const userId = await market.user();
  const [first, second, third] = [
    await requestTopup(world, market, { userId }),
    await requestTopup(world, market, { userId }),
    await requestTopup(world, market, { userId }),
  ];
  const paid = await topupIn(world, market, 'TOPUP_SUCCEEDED');
  const status = 'TOPUP_AWAITING_USER_CONFIRMATION';
  const createdAfter = instantText(second.createdAt);
  for (const [query, found] of [
    [{}, [paid, third, second, first]],
    [{ userId }, [third, second, first]],
    [{ status }, [third, second, first]],
    [{ status: 'TOPUP_SUCCEEDED' }, [paid]],
    [{ status: 'TOPUP_SUCCEEDED', userId }, []],
    [{ userId, status, createdAfter }, [third, second]],
    [{ status, createdBefore: createdAfter }, [first]],
  ] as const) {
    const { items } = await listTopups(world.app, market.call, query);
    expect(
      items.map(({ id }) => id),
      JSON.stringify(query),
    ).toEqual(found.map(({ id }) => id));
  }
});
