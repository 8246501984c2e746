//! Tests one exception: both sides of it, and its allowed actions.

import { newId } from '@holdfast/kernel/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EscrowWorld, refusalOf } from '../../testing/escrows.ts';
import {
  openReconciledWorld,
  readingOf,
  reconciled,
  seenBy,
  strayPayin,
} from '../../testing/reconciliation.ts';
import type { Market } from '../../testing/world.ts';
import { getException } from './get-exception.ts';
import { resolveException } from './resolve-exception.ts';

let world: EscrowWorld;
let market: Market;
beforeAll(async () => {
  world = await openReconciledWorld();
  market = await world.market();
  await readingOf(world);
}, 60_000);
afterAll(() => world.close());

it('returns both sides and the allowed actions, and later the action taken', async () => {
  const payinId = await strayPayin(world, 300n);
  const run = await reconciled(world, market, { providers: ['payment_provider'] });
  const [seen] = await seenBy(world, market, run.id);
  const id = seen?.id ?? newId('exc');
  const { call } = market;
  expect(await getException(world.app, call, id)).toMatchObject({
    cause: 'PAYIN_MISSING_HERE',
    ours: null,
    theirs: { id: payinId, status: 'CONFIRMED', amount: '3.00' },
    suggestedActions: ['BOOK_TO_SUSPENSE', 'CREDIT_USER', 'WRITE_OFF'],
    resolution: null,
  });
  const input = { action: 'BOOK_TO_SUSPENSE', reason: 'it will be claimed' } as const;
  await resolveException(world.app, call, id, input);
  expect(await getException(world.app, call, id)).toMatchObject({
    status: 'RESOLVED',
    suggestedActions: [],
    resolution: { ...input, resolvedBy: market.keyId },
  });
  const other = await world.market();
  const refusal = await refusalOf(getException(world.app, other.call, id));
  expect(refusal).toEqual({ code: 'EXCEPTION_NOT_FOUND', details: { exceptionId: id } });
});
