import { afterAll, beforeAll, expect, it } from 'vitest';
import { aNotice } from '../testing/console-scenarios.ts';
import { type EscrowWorld, openEscrowWorld } from '../testing/escrows.ts';
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
});
