import { expect, it } from 'vitest';
import { useMarket } from '../../testing/use-world.ts';
import { anEndpoint, HOOK_URL } from '../../testing/webhook-receiver.ts';

const { world, market } = useMarket();

const update = (id: string, body: unknown) =>
  market.send('PATCH', `/webhook-endpoints/${id}`, { body });

it('changes the named fields and leaves the rest, with an audit entry', async () => {
  const id = await anEndpoint(market);
  const first = await update(id, { types: ['order.*', 'balance.credited'] });
  expect(first.json.data.data).toMatchObject({
    types: ['order.*', 'balance.credited'],
    url: HOOK_URL,
  });
  const second = await update(id, { description: 'x', url: 'http://127.0.0.1:10/' });
  expect(second.json.data.data).toMatchObject({
    types: ['order.*', 'balance.credited'],
    description: 'x',
    url: 'http://127.0.0.1:10/',
  });
  expect((await update(id, { description: null })).json.data.data.description).toBeNull();
  const { json } = await market.send('GET', `/audit/logs?resourceId=${id}`);
  const [, entry] = json.data.data;
  expect(entry).toMatchObject({
    action: 'WEBHOOK_ENDPOINT_UPDATED',
    before: { url: HOOK_URL },
    after: { url: 'http://127.0.0.1:10/' },
  });
});

it('increments the epoch, so that a running lease reads it anew', async () => {
  const id = await anEndpoint(market);
  await update(id, { description: 'x' });
  expect(await world.rows('select epoch from webhook_lane where id = $1', [id])).toEqual([
    { epoch: 2 },
  ]);
});

it('refuses internal addresses, and a disabled endpoint', async () => {
  const id = await anEndpoint(market);
  expect((await update(id, { url: 'https://192.168.1.1/' })).json.error.code).toBe(
    'WEBHOOK_URL_REFUSED',
  );
  await market.send('DELETE', `/webhook-endpoints/${id}`);
  expect((await update(id, { description: 'x' })).json.error.code).toBe('INVALID_STATE');
});
