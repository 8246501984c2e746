//! A transaction that the network shows and that has no record here: storing it.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { transact } from '../../platform/database/transact.ts';
import { useMarket } from '../../testing/use-world.ts';
import { storeUnrecorded } from './envelope.ts';
import type { NetworkTransaction } from './network-transaction.ts';

const { world, market } = useMarket();

const SEQUENCE = 7n;

async function openEnvelope(source: string): Promise<string> {
  const purpose = randomUUID();
  await world.rows(
    `insert into envelope (marketplace_id, purpose, attempt, hash, xdr, source, sequence, max_time,
       state, created_at)
     values ($1, $2, 1, $3, '', $4, $5, 1, 'OPEN', now())`,
    [market.call.actor.marketplace, purpose, randomUUID(), source, String(SEQUENCE)],
  );
  return purpose;
}

const shown = (source: string, sequence: bigint): NetworkTransaction => ({
  cursor: '1',
  hash: randomUUID(),
  innerHash: null,
  source,
  sequence,
  isApplied: true,
  at: Date.now(),
  maxTime: undefined,
  memo: null,
  xdr: '',
  resultXdr: undefined,
});

const store = (purpose: string, transaction: NetworkTransaction) =>
  transact(world.worker, { ...market.call, idempotency: undefined }, (tx) =>
    storeUnrecorded(tx, purpose, transaction),
  );

const statesOf = (purpose: string) =>
  world.rows('select state, result from envelope where purpose = $1 order by attempt', [purpose]);

it('replaces an open one with the same number, which can never take effect', async () => {
  const source = randomUUID();
  const purpose = await openEnvelope(source);
  expect(await store(purpose, shown(source, SEQUENCE))).toBe(true);
  expect(await statesOf(purpose)).toEqual([
    { state: 'EXPIRED', result: 'overtaken' },
    { state: 'APPLIED', result: null },
  ]);
});

it('is not stored beside an open one with another number, which may still take effect', async () => {
  const source = randomUUID();
  const purpose = await openEnvelope(source);
  expect(await store(purpose, shown(source, SEQUENCE + 1n))).toBe(false);
  expect(await statesOf(purpose)).toEqual([{ state: 'OPEN', result: null }]);
});
