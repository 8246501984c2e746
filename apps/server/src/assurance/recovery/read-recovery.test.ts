import { expect, it } from 'vitest';
import { useMarket } from '../../testing/use-world.ts';

const { world, market } = useMarket();

it('shows the present history to the master key and to no key of a marketplace', async () => {
  const { status, json } = await world.send('GET', '/recovery', { key: world.masterKey });
  expect(status).toBe(200);
  expect(json.data.data).toMatchObject({
    lineage: 1,
    status: 'OPEN',
    lostFrom: null,
    openRequested: null,
  });
  expect((await market.send('GET', '/recovery')).status).toBe(403);
});

it('shows a server that no worker has checked yet', async () => {
  await world.rows(`update lineage set timeline = '000000FF'`);
  const { json } = await world.send('GET', '/recovery', { key: world.masterKey });
  expect(json.data.data).toMatchObject({ status: 'UNCHECKED' });
});
