import { newId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import { publishSequenced } from '../../testing/sse.ts';
import { useOpened, useWorld } from '../../testing/use-world.ts';
import {
  anEndpoint,
  createEndpoint,
  openReceiver,
  runLane,
} from '../../testing/webhook-receiver.ts';

const world = useWorld();
const receiver = useOpened(openReceiver);

it('lists enabled endpoints, newest first, and disabled ones on request', async () => {
  const market = await world.market();
  const ids = [await anEndpoint(market), await anEndpoint(market, true), await anEndpoint(market)];
  const idsOf = async (query: string) => {
    const { json } = await market.send('GET', `/webhook-endpoints?${query}`);
    return json.data.data.map(({ id }: { id: string }) => id);
  };
  expect(await idsOf('')).toEqual(ids.toReversed());
  expect(await idsOf('status=PAUSED')).toEqual([ids[1]]);
  await market.send('DELETE', `/webhook-endpoints/${ids[0]}`);
  expect(await idsOf('')).toEqual([ids[2], ids[1]]);
  expect(await idsOf('status=DISABLED')).toEqual([ids[0]]);
  const shown = await market.send('GET', `/webhook-endpoints/${ids[0]}`);
  expect(shown.json.data.data).toMatchObject({ status: 'DISABLED', backlog: 0 });
});

it('lists deliveries newest first, by outcome and by event', async () => {
  const market = await world.market();
  const { id } = await createEndpoint(market, { url: receiver.url });
  await publishSequenced(world, market, 4);
  const fourth = receiver.received.length + 4;
  receiver.respondWith(
    (response) => void response.writeHead(receiver.received.length === fourth ? 500 : 200).end(),
  );
  await runLane(world, market, id);
  const list = async (query: string) =>
    (await market.send('GET', `/webhook-endpoints/${id}/deliveries?${query}`)).json.data;
  const all = (await list('')).data;
  expect(all.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'PENDING',
    ...Array(3).fill('DELIVERED'),
  ]);
  expect((await list('outcome=PENDING')).data).toEqual([all[0]]);
  expect((await list(`eventId=${all[2].eventId}`)).data).toEqual([all[2]]);
  expect((await list(`replayId=${newId('whr', Date.now())}`)).data).toEqual([]);
});

it('keeps the last twenty attempts of a delivery, and counts all', async () => {
  const market = await world.market();
  const { id } = await createEndpoint(market, { url: receiver.url });
  await publishSequenced(world, market, 1);
  receiver.respondWith((response) => void response.writeHead(500).end());
  for (let round = 0; round < 25; round += 1) {
    await world.rows(`update webhook_lane set next_try_at = 'epoch' where id = $1`, [id]);
    await runLane(world, market, id);
  }
  const { json } = await market.send('GET', `/webhook-endpoints/${id}/deliveries`);
  expect(json.data.data).toMatchObject([{ attemptCount: 25, outcome: 'PENDING' }]);
  expect(json.data.data[0].attempts).toHaveLength(20);
});
