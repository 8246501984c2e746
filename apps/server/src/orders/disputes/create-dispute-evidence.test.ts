import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { escrowOrderIn, useEscrowWorld } from '../../testing/escrows.ts';
import { desk } from '../../testing/operators.ts';
import { auditedBy, eventsOf, oneCall, snapshotDatabase } from '../../testing/orders.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { createDisputeEvidence } from './create-dispute-evidence.ts';
import { resolveDispute } from './resolve-dispute.ts';

const { world, market } = useEscrowWorld();

const STATEMENT = {
  party: 'SELLER',
  statement: 'It was whole when it left.',
  evidence: ['https://shop.example.com/photos/2'],
} as const;

it.each(['DISPUTED', 'UNDER_REVIEW'] as const)(
  'stores the statement of a side of one %s',
  async (state) => {
    const { id: orderId, disputeId } = await escrowOrderIn(world, market, state);
    const call = oneCall(market);
    const added = await createDisputeEvidence(world.app, call, disputeId, STATEMENT);
    expect(added).toMatchObject({ disputeId, ...STATEMENT, addedBy: market.keyId });
    const payload = { disputeId, orderId, evidenceId: added.id, party: 'SELLER' };
    expect(await eventsOf(world, call)).toEqual([
      {
        type: 'dispute.evidence_added',
        payload: { ...payload, addedAt: expect.stringMatching(/Z$/) },
      },
    ]);
    expect(await auditedBy(world, call)).toMatchObject([
      {
        action: 'DISPUTE_EVIDENCE_ADDED',
        resource: disputeId,
        after: { evidenceId: added.id, party: 'SELLER' },
      },
    ]);
  },
);

it('takes a statement or evidence alone, and refuses neither', async () => {
  const { disputeId } = await escrowOrderIn(world, market, 'DISPUTED');
  const send = (body: object) => market.send('POST', `/disputes/${disputeId}/evidence`, { body });
  const { status, json } = await send({ party: 'BUYER', statement: 'It was not.' });
  expect([status, json.data.data.evidence]).toEqual([201, []]);
  const bare = await send({ party: 'BUYER', evidence: ['a photo'] });
  expect([bare.status, bare.json.data.data.statement]).toEqual([201, null]);
  const many = { party: 'BUYER', evidence: Array.from({ length: 21 }, () => 'a photo') };
  const no = [{ party: 'BUYER' }, { party: 'BUYER', evidence: [] }, { statement: 'Who?' }, many];
  for (const body of [...no, { party: 'COURIER', statement: 'Me.' }])
    expect((await send(body)).json.error?.code).toBe('VALIDATION_ERROR');
  // The body is validated before any lookup.
  const nowhere = `/disputes/${disputeId.slice(0, -3)}000/evidence`;
  const lost = await market.send('POST', nowhere, { body: { party: 'BUYER' } });
  expect(lost.json.error?.code).toBe('VALIDATION_ERROR');
});

it('is refused once it has been decided, and leaves nothing', async () => {
  const { disputeId } = await escrowOrderIn(world, market, 'UNDER_REVIEW');
  await resolveDispute(world.app, market.call, disputeId, { decision: 'FULL_REFUND' });
  const before = await snapshotDatabase(world);
  await expect(
    createDisputeEvidence(world.app, market.call, disputeId, STATEMENT),
  ).rejects.toMatchObject({
    code: 'INVALID_STATE',
    details: { state: 'RESOLVED' },
  });
  expect(await snapshotDatabase(world)).toEqual(before);
});

it('is added once for one Idempotency-Key, and only by its own marketplace', async () => {
  const { disputeId } = await escrowOrderIn(world, market, 'DISPUTED');
  const headers = { 'idempotency-key': randomUUID() };
  const send = () =>
    market.send('POST', `/disputes/${disputeId}/evidence`, { body: STATEMENT, headers });
  const [first, again] = [await send(), await send()];
  expect([first.status, again.text]).toEqual([201, first.text]);
  const otherMarket = await world.market();
  await expect(
    createDisputeEvidence(world.app, otherMarket.call, disputeId, STATEMENT),
  ).rejects.toSatisfy(isRefusal('DISPUTE_NOT_FOUND'));
});

it('is added by support for either side, under their own name', async () => {
  const { disputeId } = await escrowOrderIn(world, market, 'DISPUTED');
  const support = await desk(world, { marketplaceId: market.id, role: 'support' });
  const path = `/disputes/${disputeId}/evidence`;
  const { json } = await support.send('POST', path, { body: STATEMENT });
  expect(json.data.data).toMatchObject({ party: 'SELLER', addedBy: support.id });
});
