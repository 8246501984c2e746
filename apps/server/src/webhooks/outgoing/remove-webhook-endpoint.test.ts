import { expect, it } from 'vitest';
import { publishSequenced } from '../../testing/sse.ts';
import { useWorld } from '../../testing/use-world.ts';
import { createEndpoint, openReceiver, runLane } from '../../testing/webhook-receiver.ts';

const world = useWorld();

it('sends nothing more, deletes the secret, keeps deliveries; a repeat is harmless', async () => {
  const [market, receiver] = [await world.market(), await openReceiver()];
  const { id } = await createEndpoint(market, { url: receiver.url });
  await publishSequenced(world, market, 1);
  await runLane(world, market, id);
  await market.send('POST', `/webhook-endpoints/${id}/test`);
  for (let round = 0; round < 2; round += 1) {
    const removed = await market.send('DELETE', `/webhook-endpoints/${id}`);
    expect([removed.status, removed.json.data.data.status]).toEqual([200, 'DISABLED']);
  }
  await publishSequenced(world, market, 1);
  for (const { id: lane } of await world.rows<{ id: typeof id }>('select id from webhook_lane'))
    expect(await runLane(world, market, lane)).toEqual({ kind: 'over' });
  expect(receiver.received).toHaveLength(1);
  const stored = await world.rows('select secret, old_secret from webhook_endpoint');
  expect(stored).toEqual([{ secret: null, old_secret: null }]);
  const sent = await market.send('GET', `/webhook-endpoints/${id}/deliveries`);
  expect(sent.json.data.data).toHaveLength(1);
  const { json } = await market.send('GET', '/audit/logs?action=WEBHOOK_ENDPOINT_DISABLED');
  expect(json.data.data).toHaveLength(1);
  await receiver.close();
});
