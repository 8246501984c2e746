import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dealIn, type EscrowWorld, openEscrowWorld } from '../testing/escrows.ts';
import { desk } from '../testing/operators.ts';
import { auditedBy, imprint, oneCall, toldBy } from '../testing/orders.ts';
import { isRefusal } from '../testing/refusal.ts';
import type { Market } from '../testing/world.ts';
import { createDisputeEvidence } from './create-dispute-evidence.ts';
import { resolveDispute } from './resolve-dispute.ts';

let world: EscrowWorld;
let market: Market;
beforeAll(async () => {
  world = await openEscrowWorld();
  market = await world.market();
});
afterAll(() => world.close());

const SAID = {
  party: 'SELLER',
  statement: 'It was whole when it left.',
  evidence: ['https://shop.example.com/photos/2'],
} as const;

it.each(['DISPUTED', 'UNDER_REVIEW'] as const)(
  'keeps what a side says of one %s',
  async (state) => {
    const { id: orderId, disputeId } = await dealIn(world, market, state);
    const call = oneCall(market);
    const said = await createDisputeEvidence(world.app, call, disputeId, SAID);
    expect(said).toMatchObject({ disputeId, ...SAID, addedBy: market.keyId });
    const told = { disputeId, orderId, evidenceId: said.id, party: 'SELLER' };
    expect(await toldBy(world, call)).toEqual([
      {
        type: 'dispute.evidence_added',
        payload: { ...told, addedAt: expect.stringMatching(/Z$/) },
      },
    ]);
    expect(await auditedBy(world, call)).toMatchObject([
      {
        action: 'DISPUTE_EVIDENCE_ADDED',
        resource: disputeId,
        after: { evidenceId: said.id, party: 'SELLER' },
      },
    ]);
  },
);

it('takes a statement or evidence alone, and refuses neither', async () => {
  const { disputeId } = await dealIn(world, market, 'DISPUTED');
  const send = (body: object) => market.send('POST', `/disputes/${disputeId}/evidence`, { body });
  const { status, json } = await send({ party: 'BUYER', statement: 'It was not.' });
  expect([status, json.data.data.evidence]).toEqual([201, []]);
  const bare = await send({ party: 'BUYER', evidence: ['a photo'] });
  expect([bare.status, bare.json.data.data.statement]).toEqual([201, null]);
  const many = { party: 'BUYER', evidence: Array.from({ length: 21 }, () => 'a photo') };
  const no = [{ party: 'BUYER' }, { party: 'BUYER', evidence: [] }, { statement: 'Who?' }, many];
  for (const body of [...no, { party: 'COURIER', statement: 'Me.' }])
    expect((await send(body)).json.error?.code).toBe('VALIDATION_ERROR');
  // The body is judged before anything is looked up.
  const nowhere = `/disputes/${disputeId.slice(0, -3)}000/evidence`;
  const lost = await market.send('POST', nowhere, { body: { party: 'BUYER' } });
  expect(lost.json.error?.code).toBe('VALIDATION_ERROR');
});

it('is refused once it has been decided, and leaves nothing', async () => {
  const { disputeId } = await dealIn(world, market, 'UNDER_REVIEW');
  await resolveDispute(world.app, market.call, disputeId, { decision: 'FULL_REFUND' });
  const before = await imprint(world);
  await expect(
    createDisputeEvidence(world.app, market.call, disputeId, SAID),
  ).rejects.toMatchObject({
    code: 'INVALID_STATE',
    details: { state: 'RESOLVED' },
  });
  expect(await imprint(world)).toEqual(before);
});

it('is added once for one Idempotency-Key, and by nobody else', async () => {
  const { disputeId } = await dealIn(world, market, 'DISPUTED');
  const headers = { 'idempotency-key': randomUUID() };
  const send = () =>
    market.send('POST', `/disputes/${disputeId}/evidence`, { body: SAID, headers });
  const [first, again] = [await send(), await send()];
  expect([first.status, again.text]).toEqual([201, first.text]);
  const stranger = await world.market();
  await expect(createDisputeEvidence(world.app, stranger.call, disputeId, SAID)).rejects.toSatisfy(
    isRefusal('DISPUTE_NOT_FOUND'),
  );
});

it('is added by support for either side, under their own name', async () => {
  const { disputeId } = await dealIn(world, market, 'DISPUTED');
  const support = await desk(world, { marketplaceId: market.id, role: 'support' });
  const path = `/disputes/${disputeId}/evidence`;
  const { json } = await support.send('POST', path, { body: SAID });
  expect(json.data.data).toMatchObject({ party: 'SELLER', addedBy: support.id });
});
