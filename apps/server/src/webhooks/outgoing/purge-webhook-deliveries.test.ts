import { manualClock } from '@holdfast/kernel/clock';
import { expect, it } from 'vitest';
import { publishSequenced } from '../../testing/sse.ts';
import { useWorld } from '../../testing/use-world.ts';
import { createEndpoint, openReceiver, runLane } from '../../testing/webhook-receiver.ts';
import { purgeWebhookDeliveries } from './purge-webhook-deliveries.ts';

const clock = manualClock(Date.now());
const world = useWorld({ clock });

it('deletes deliveries past retention, and never those still being retried', async () => {
  const [market, receiver] = [await world.market(), await openReceiver()];
  const { id } = await createEndpoint(market, { url: receiver.url });
  await publishSequenced(world, market, 3);
  receiver.respondWith(
    (response) => void response.writeHead(receiver.received.length === 3 ? 500 : 200).end(),
  );
  await runLane(world, market, id);
  expect(await purgeWebhookDeliveries(world.worker)).toBe(0);
  clock.advance(14 * 86_400_000 + 60_000);
  expect(await purgeWebhookDeliveries(world.worker)).toBe(2);
  expect(await world.rows('select outcome from webhook_delivery')).toEqual([
    { outcome: 'PENDING' },
  ]);
  await receiver.close();
});
