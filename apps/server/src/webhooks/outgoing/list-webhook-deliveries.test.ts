import { newId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import { publish } from '../../testing/sse.ts';
import { useOpened, useWorld } from '../../testing/use-world.ts';
import { createEndpoint, openReceiver, runLane } from '../../testing/webhook-receiver.ts';

const world = useWorld();
const receiver = useOpened(openReceiver);

it('lists newest first, page by page, by outcome and by event', async () => {
  const market = await world.market();
  const { id } = await createEndpoint(market, { url: receiver.url });
  await publish(world, market, 4);
  await world.sequence();
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
  const first = await list('limit=3');
  expect(first).toMatchObject({ hasMore: true, data: all.slice(0, 3) });
  expect((await list(`cursor=${first.nextCursor}`)).data).toEqual(all.slice(3));
  expect((await list('outcome=PENDING')).data).toEqual([all[0]]);
  expect((await list(`eventId=${all[2].eventId}`)).data).toEqual([all[2]]);
  expect((await list(`replayId=${newId('whr')}`)).data).toEqual([]);
});

it('keeps the last twenty attempts and counts all', async () => {
  const market = await world.market();
  const { id } = await createEndpoint(market, { url: receiver.url });
  await publish(world, market, 1);
  await world.sequence();
  receiver.respondWith((response) => void response.writeHead(500).end());
  for (let round = 0; round < 25; round += 1) {
    await world.rows('update webhook_lane set next_try_at = now() where id = $1', [id]);
    await runLane(world, market, id);
  }
  const { json } = await market.send('GET', `/webhook-endpoints/${id}/deliveries`);
  expect(json.data.data).toMatchObject([{ attemptCount: 25, outcome: 'PENDING' }]);
  expect(json.data.data[0].attempts).toHaveLength(20);
});
