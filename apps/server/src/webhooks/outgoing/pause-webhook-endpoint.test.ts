import { expect, it } from 'vitest';
import { publishSequenced } from '../../testing/sse.ts';
import { useWorld } from '../../testing/use-world.ts';
import { createEndpoint, openReceiver, runLane } from '../../testing/webhook-receiver.ts';

const world = useWorld();

it('queues events until it is resumed, and writes event and audit entry', async () => {
  const [market, receiver] = [await world.market(), await openReceiver()];
  const { id } = await createEndpoint(market, { url: receiver.url, types: ['user.*'] });
  const act = (what: string, body?: object) =>
    market.send('POST', `/webhook-endpoints/${id}/${what}`, body === undefined ? {} : { body });
  const paused = await act('pause', { reason: 'we move' });
  expect(paused.json.data.data).toMatchObject({ status: 'PAUSED', pauseReason: 'we move' });
  expect((await act('pause')).json.error.code).toBe('INVALID_STATE');
  await publishSequenced(world, market, 3);
  expect(await runLane(world, market, id)).toEqual({ kind: 'over' });
  expect(receiver.received).toEqual([]);
  const shown = await market.send('GET', `/webhook-endpoints/${id}`);
  // The event of the pause is one of them.
  expect(shown.json.data.data).toMatchObject({ backlog: 4 });
  const { json } = await market.send('GET', '/events/log?types=webhook.paused');
  expect(json.data.data).toMatchObject([{ payload: { cause: 'BY_HAND', reason: 'we move' } }]);
  const resumed = await act('resume');
  expect(resumed.json.data.data).toMatchObject({ status: 'ACTIVE', pauseReason: null });
  expect((await act('resume')).json.error.code).toBe('INVALID_STATE');
  await runLane(world, market, id);
  expect(receiver.received).toHaveLength(3);
  const audited = await market.send('GET', `/audit/logs?resourceId=${id}`);
  expect(audited.json.data.data.map(({ action }: { action: string }) => action)).toEqual([
    'WEBHOOK_ENDPOINT_RESUMED',
    'WEBHOOK_ENDPOINT_PAUSED',
    'WEBHOOK_ENDPOINT_CREATED',
  ]);
  await receiver.close();
});
