import { expect, it } from 'vitest';
import { escrowOrderIn, useEscrowWorld } from '../../testing/escrows.ts';
import { findResolution, previewResolution } from './preview-resolution.ts';
import { resolveDispute } from './resolve-dispute.ts';

const { world, market } = useEscrowWorld();

const SPLIT = { decision: 'SPLIT', releaseAmount: '33.33', refundAmount: '66.67' } as const;

it.each([
  [SPLIT, { fee: '1.67', sellerReceives: '31.66', buyerReceives: '66.67' }],
  [
    { decision: 'FULL_RELEASE' },
    { fee: '5.00', sellerReceives: '95.00', buyerReceives: '0.00', releaseAmount: '100.00' },
  ],
  [{ decision: 'FULL_REFUND' }, { fee: '0.00', sellerReceives: '0.00', buyerReceives: '100.00' }],
] as const)('previews what %j pays, and the resolution pays the same', async (input, expected) => {
  const { id, disputeId } = await escrowOrderIn(world, market, 'UNDER_REVIEW');
  const path = `/disputes/${disputeId}/resolve/preview`;
  const { json } = await market.send('POST', path, { body: input });
  expect(json.data.data).toMatchObject({ amount: '100.00', currency: 'USD', ...expected });
  await resolveDispute(world.app, market.call, disputeId, input);
  const detail = (await market.send('GET', `/orders/${id}/detail`)).json.data.data;
  expect(detail.money).toMatchObject({
    released: expected.sellerReceives,
    refunded: expected.buyerReceives,
    fee: expected.fee,
    remainder: '0.00',
  });
  await expect(previewResolution(world.app, market.call, disputeId, input)).rejects.toMatchObject({
    code: 'INVALID_STATE',
  });
});

it('changes nothing, and refuses what cannot be decided', async () => {
  const { disputeId } = await escrowOrderIn(world, market, 'DISPUTED');
  const otherMarket = await world.market();
  const before = await world.rows('select count(*) from audit');
  await previewResolution(world.app, market.call, disputeId, SPLIT);
  const wrong = { ...SPLIT, releaseAmount: '50.00' };
  await expect(previewResolution(world.app, market.call, disputeId, wrong)).rejects.toMatchObject({
    code: 'INVALID_AMOUNT',
  });
  await expect(
    previewResolution(world.app, otherMarket.call, disputeId, SPLIT),
  ).rejects.toMatchObject({ code: 'DISPUTE_NOT_FOUND' });
  expect(await world.rows('select count(*) from audit')).toEqual(before);
});

it('refuses what deciding refuses, with the same refusal, before any other error', async () => {
  const { disputeId } = await escrowOrderIn(world, market, 'DISPUTED');
  const uneven = { ...SPLIT, releaseAmount: '50.00' };
  const resolution = await findResolution(world.app, market.call, disputeId, uneven);
  expect(resolution.amount.text).toBe('100.00');
  const decided = await resolveDispute(world.app, market.call, disputeId, uneven).catch((no) => no);
  expect(decided).toMatchObject({ code: 'INVALID_STATE' });
  expect(resolution.check).toThrow(expect.objectContaining(decided));
});
