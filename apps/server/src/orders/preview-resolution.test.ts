import { afterAll, beforeAll, expect, it } from 'vitest';
import { dealIn, type EscrowWorld, openEscrowWorld } from '../testing/escrows.ts';
import type { Market } from '../testing/world.ts';
import { findResolution, previewResolution } from './preview-resolution.ts';
import { resolveDispute } from './resolve-dispute.ts';

let world: EscrowWorld;
let market: Market;
beforeAll(async () => {
  world = await openEscrowWorld();
  market = await world.market();
});
afterAll(() => world.close());

const SPLIT = { decision: 'SPLIT', releaseAmount: '33.33', refundAmount: '66.67' } as const;

it.each([
  [SPLIT, { fee: '1.67', sellerReceives: '31.66', buyerReceives: '66.67' }],
  [
    { decision: 'FULL_RELEASE' },
    { fee: '5.00', sellerReceives: '95.00', buyerReceives: '0.00', releaseAmount: '100.00' },
  ],
  [{ decision: 'FULL_REFUND' }, { fee: '0.00', sellerReceives: '0.00', buyerReceives: '100.00' }],
] as const)('tells what %j pays, and it is what is paid', async (wish, told) => {
  const { id, disputeId } = await dealIn(world, market, 'UNDER_REVIEW');
  const path = `/disputes/${disputeId}/resolve/preview`;
  const { json } = await market.send('POST', path, { body: wish });
  expect(json.data.data).toMatchObject({ amount: '100.00', currency: 'USD', ...told });
  await resolveDispute(world.app, market.call, disputeId, wish);
  const detail = (await market.send('GET', `/orders/${id}/detail`)).json.data.data;
  expect(detail.money).toMatchObject({
    released: told.sellerReceives,
    refunded: told.buyerReceives,
    fee: told.fee,
    remainder: '0.00',
  });
  await expect(previewResolution(world.app, market.call, disputeId, wish)).rejects.toMatchObject({
    code: 'INVALID_STATE',
  });
});

it('changes nothing, and refuses what cannot be decided', async () => {
  const { disputeId } = await dealIn(world, market, 'DISPUTED');
  const stranger = await world.market();
  const before = await world.rows('select count(*) from audit');
  await previewResolution(world.app, market.call, disputeId, SPLIT);
  const wrong = { ...SPLIT, releaseAmount: '50.00' };
  await expect(previewResolution(world.app, market.call, disputeId, wrong)).rejects.toMatchObject({
    code: 'INVALID_AMOUNT',
  });
  await expect(previewResolution(world.app, stranger.call, disputeId, SPLIT)).rejects.toMatchObject(
    { code: 'DISPUTE_NOT_FOUND' },
  );
  expect(await world.rows('select count(*) from audit')).toEqual(before);
});

it('refuses what deciding refuses, in the same words, whatever else is wrong', async () => {
  const { disputeId } = await dealIn(world, market, 'DISPUTED');
  const uneven = { ...SPLIT, releaseAmount: '50.00' };
  const asked = await findResolution(world.app, market.call, disputeId, uneven);
  expect(asked.amount.text).toBe('100.00');
  const decided = await resolveDispute(world.app, market.call, disputeId, uneven).catch((no) => no);
  expect(decided).toMatchObject({ code: 'INVALID_STATE' });
  expect(asked.check).toThrow(expect.objectContaining(decided));
});
