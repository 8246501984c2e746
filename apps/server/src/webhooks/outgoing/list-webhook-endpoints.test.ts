import { expect, it } from 'vitest';
import { useWorld } from '../../testing/use-world.ts';
import { anEndpoint } from '../../testing/webhook-receiver.ts';

const world = useWorld();

it('lists enabled ones, newest first, page by page; disabled ones on request', async () => {
  const market = await world.market();
  await anEndpoint(await world.market());
  const ids = [await anEndpoint(market), await anEndpoint(market, true), await anEndpoint(market)];
  const idsOf = async (query: string) => {
    const { json } = await market.send('GET', `/webhook-endpoints?${query}`);
    return json.data.data.map(({ id }: { id: string }) => id);
  };
  expect(await idsOf('')).toEqual(ids.toReversed());
  expect(await idsOf('status=PAUSED')).toEqual([ids[1]]);
  expect(await idsOf('limit=1')).toEqual([ids[2]]);
  expect(await idsOf(`cursor=${ids[2]}`)).toEqual([ids[1], ids[0]]);
  await market.send('DELETE', `/webhook-endpoints/${ids[0]}`);
  expect(await idsOf('')).toEqual([ids[2], ids[1]]);
  expect(await idsOf('status=DISABLED')).toEqual([ids[0]]);
  const shown = await market.send('GET', `/webhook-endpoints/${ids[0]}`);
  expect(shown.json.data.data).toMatchObject({ status: 'DISABLED', backlog: 0 });
});
