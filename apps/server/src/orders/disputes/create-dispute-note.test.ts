import { randomUUID } from 'node:crypto';
import type { DisputeId } from '@holdfast/kernel/ids';
import { beforeAll, expect, it } from 'vitest';
import { auditedBy, oneCall, orderIn } from '../../testing/orders.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { useMarket } from '../../testing/use-world.ts';
import { createDisputeNote } from './create-dispute-note.ts';

const { world, market } = useMarket();
let disputeId: DisputeId;
beforeAll(async () => {
  disputeId = (await orderIn(world, market, 'DISPUTED')).disputeId as DisputeId;
});

it('writes a note under who wrote it', async () => {
  const call = oneCall(market);
  const note = await createDisputeNote(world.app, call, disputeId, { text: 'Called the courier.' });
  expect(note).toMatchObject({ disputeId, text: 'Called the courier.', writtenBy: market.keyId });
  expect(await auditedBy(world, call)).toMatchObject([
    { action: 'DISPUTE_NOTE_ADDED', resource: disputeId, after: { noteId: note.id } },
  ]);
});

it('is written once for one Idempotency-Key, and only by its own marketplace', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const send = () =>
    market.send('POST', `/disputes/${disputeId}/notes`, { body: { text: 'Once.' }, headers });
  const [first, again] = [await send(), await send()];
  expect([first.status, again.text]).toEqual([201, first.text]);
  const otherMarket = await world.market();
  await expect(
    createDisputeNote(world.app, otherMarket.call, disputeId, { text: 'Mine.' }),
  ).rejects.toSatisfy(isRefusal('DISPUTE_NOT_FOUND'));
});
