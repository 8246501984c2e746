import { TEST_EVENT_TYPE } from '@holdfast/contract/records/webhook-records';
import { expect, it } from 'vitest';
import { useMarket, useOpened } from '../../testing/use-world.ts';
import { createEndpoint, openReceiver, runLane } from '../../testing/webhook-receiver.ts';

const { world, market } = useMarket();
const receiver = useOpened(openReceiver);

async function test(id: string) {
  const { json } = await market.send('POST', `/webhook-endpoints/${id}/test`);
  await runLane(world, market, json.data.data.id);
  const query = `replayId=${json.data.data.id}`;
  const sent = await market.send('GET', `/webhook-endpoints/${id}/deliveries?${query}`);
  return sent.json.data.data;
}

it('sends one signed message of its own type, also while paused, and is in no log', async () => {
  const { id } = await createEndpoint(market, { url: receiver.url, types: ['order.*'] });
  receiver.respondWith((response) => void response.writeHead(200).end());
  await market.send('POST', `/webhook-endpoints/${id}/pause`);
  expect(await test(id)).toMatchObject([
    { kind: 'TEST', eventType: TEST_EVENT_TYPE, outcome: 'DELIVERED', attemptCount: 1 },
  ]);
  const sent = receiver.received.at(-1);
  expect(JSON.parse(sent?.text ?? '')).toMatchObject({
    eventType: TEST_EVENT_TYPE,
    aggregateId: id,
    metadata: { marketplaceId: market.id },
  });
  await world.sequence();
  const log = await market.send('GET', '/events/log');
  expect(log.text).not.toContain(TEST_EVENT_TYPE);
});

it('tries once, and records the outcome', async () => {
  const { id } = await createEndpoint(market, { url: receiver.url });
  receiver.respondWith((response) => void response.writeHead(404).end('who?'));
  expect(await test(id)).toMatchObject([
    { outcome: 'FAILED', attempts: [{ status: 404, response: 'who?', reason: 'HTTP status 404' }] },
  ]);
  const shown = await market.send('GET', `/webhook-endpoints/${id}`);
  expect(shown.json.data.data).toMatchObject({ status: 'ACTIVE', failures: 0 });
});
