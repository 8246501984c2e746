import { afterAll, beforeAll, expect, it } from 'vitest';
import { aNotice } from '../testing/console-scenarios.ts';
import { type EscrowWorld, openEscrowWorld } from '../testing/escrows.ts';
import { desk } from '../testing/operators.ts';
import { isRefusal } from '../testing/refusal.ts';
import { getNotice } from './get-notice.ts';

let world: EscrowWorld;
beforeAll(async () => {
  world = await openEscrowWorld();
});
afterAll(() => world.close());

it('shows a notice to the byte, to its marketplace alone', async () => {
  const [market, stranger] = [await world.market(), await world.market()];
  const id = await aNotice({ world, market });
  const notice = await getNotice(world.app, market.call, id);
  expect(notice).toMatchObject({ id, status: 'PARKED', reason: 'the network does not show it' });
  expect(JSON.parse(notice.body)).toEqual({
    type: 'escrow.funded',
    event_id: notice.eventId,
    data: {},
  });
  await expect(getNotice(world.app, stranger.call, id)).rejects.toSatisfy(
    isRefusal('NOTICE_NOT_FOUND'),
  );
  const answers = [
    await world.send('GET', `/inbox/${id}`, { key: world.masterKey }),
    await world.send('POST', `/inbox/${id}/rerun`, {
      key: world.masterKey,
      body: { reason: 'why' },
    }),
  ];
  expect(answers.map(({ json }) => json.error.code)).toEqual(Array(2).fill('NOTICE_NOT_FOUND'));
});

it('masks people in the body for operators, also when it is applied again', async () => {
  const market = await world.market();
  const id = await aNotice({ world, market });
  const body = '{"type":"payout.created","data":{"airtmUserEmail":"ada@example.com"}}';
  await world.rows('update inbox set body = $2 where id = $1', [id, body]);
  const support = await desk(world, { marketplaceId: market.id, role: 'support' });
  const seen = [
    await support.send('GET', `/inbox/${id}`),
    await support.send('POST', `/inbox/${id}/rerun`, { body: { reason: 'why' } }),
  ];
  const masked = body.replace('ada@example.com', 'a•••@e•••.com');
  expect(seen.map(({ json }) => json.data.data.body)).toEqual([masked, masked]);
  expect((await market.send('GET', `/inbox/${id}`)).json.data.data.body).toBe(body);
});
