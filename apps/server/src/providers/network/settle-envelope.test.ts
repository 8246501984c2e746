import { newId } from '@holdfast/kernel/ids';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeUnknownNumber } from '../../platform/database/lineage.ts';
import { knowNumberBefore } from '../../testing/known-number.ts';
import { submit, useParties } from '../../testing/parties.ts';
import { useMarket } from '../../testing/use-world.ts';
import { done, type Outcome } from '../outcome.ts';
import { PersistedEnvelope, type SignedEnvelope } from './envelope.ts';
import { type Settled, settleEnvelope } from './settle-envelope.ts';

const { sandbox, parties } = useParties();
const { world, market } = useMarket();
beforeEach(() => sandbox.clearFaults());

type Settle = () => Promise<Outcome<Settled>>;

/** Settles the same purpose again and again: only the first call signs. */
function settling(signed: Outcome<SignedEnvelope>): Settle {
  const app = { ...world.worker, network: parties.adapters.network };
  const purpose = newId('op', Date.now());
  return () =>
    settleEnvelope(app, market.call, purpose, async () => {
      await knowNumberBefore(app, market.call, signed);
      return signed;
    });
}

function sure<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'done') throw new Error(outcome.reason);
  return outcome.value;
}

/** The envelope was sent and took effect, and the reply was lost. */
async function loseReply(settle: Settle): Promise<void> {
  await sandbox.arm('ledger', 'submit', 'drop-after');
  expect((await settle()).kind).toBe('unknown');
}

const createDeployment = () =>
  parties.sign({ step: 'deploy', signer: parties.buyer.address, terms: parties.terms() });

it.each([
  ['a payment', () => parties.signTransfer('1')],
  ['a step whose fee another pays', createDeployment],
])(
  '%s that used its sequence number itself is not overtaken, even if a node lags',
  async (_, sign) => {
    const settle = settling(await sign());
    const before = (await sandbox.journal()).length;
    await loseReply(settle);
    await sandbox.arm('ledger', 'lookup', 'stale', 50);
    for (let round = 0; round < 3; round += 1) expect((await settle()).kind).not.toBe('refused');
    await sandbox.clearFaults();
    expect(await settle()).toMatchObject({ kind: 'done' });
    expect(await sandbox.journal()).toHaveLength(before + 1);
  },
);

describe('while signing is stopped', () => {
  const stopped = (level: 'MONEY' | 'SIGNING') =>
    world.rows(
      `insert into marketplace_stop (marketplace_id, level, reason, stopped_by, since)
       values ($1, $2, 'a doubt', 'test', now())`,
      [market.call.actor.marketplace, level],
    );
  const lifted = () =>
    world.rows(`update marketplace_stop set lifted_by = 'test', lift_reason = 'over',
      lifted_at = now() where lifted_at is null`);
  afterEach(lifted);
  const envelopes = () => world.rows('select count(*) from envelope');

  it('signs, stores and sends nothing, and continues once the stop is lifted', async () => {
    const app = { ...world.worker, network: parties.adapters.network };
    const signed = await parties.signTransfer('1');
    const purpose = newId('op', Date.now());
    let signatures = 0;
    const settle = () =>
      settleEnvelope(app, market.call, purpose, async () => {
        signatures += 1;
        await knowNumberBefore(app, market.call, signed);
        return signed;
      });
    const [before, stored] = [(await sandbox.journal()).length, await envelopes()];
    await stopped('SIGNING');
    expect(await settle()).toMatchObject({ kind: 'unknown', reason: /signing is stopped/ });
    expect(await PersistedEnvelope.persist(app, market.call, purpose, sure(signed))).toMatchObject({
      reason: /signing is stopped/,
    });
    expect([signatures, await envelopes()]).toEqual([0, stored]);
    expect(await sandbox.journal()).toHaveLength(before);
    await lifted();
    expect(await settle()).toMatchObject({ kind: 'done' });
    expect(signatures).toBe(1);
  });

  it('looks up what was sent before, and does not send again what was not', async () => {
    const sent = settling(await parties.signTransfer('1'));
    await loseReply(sent);
    const other = settling(await parties.signTransfer('2'));
    await sandbox.arm('ledger', 'submit', 'drop-before');
    expect((await other()).kind).toBe('unknown');
    await sandbox.clearFaults();
    const before = (await sandbox.journal()).length;
    await stopped('SIGNING');
    expect(await sent()).toMatchObject({ kind: 'done' });
    expect(await other()).toMatchObject({ kind: 'unknown' });
    expect(await sandbox.journal()).toHaveLength(before);
    await lifted();
    expect(await other()).toMatchObject({ kind: 'done' });
  });

  it('a stop of money alone lets open work sign', async () => {
    await stopped('MONEY');
    expect(await settling(await parties.signTransfer('1'))()).toMatchObject({ kind: 'done' });
  });
});

it('is overtaken as soon as the network shows which transaction used its number', async () => {
  const [slow, quick] = [await parties.signTransfer('1'), await parties.signTransfer('2')];
  const settle = settling(slow);
  await sandbox.arm('ledger', 'submit', 'drop-before');
  expect((await settle()).kind).toBe('unknown');
  await submit(sandbox, sure(quick).xdr);
  // A restored database has no record of it: it may have paid the same already.
  expect(await settle()).toMatchObject({ kind: 'unknown' });
  expect(takeUnknownNumber()).toBe(sure(quick).source);
  const { hash } = sure(quick);
  await world.rows(
    `insert into envelope (marketplace_id, purpose, attempt, hash, xdr, source, sequence, max_time,
       state, created_at)
     select marketplace_id, 'another', 1, $1, xdr, source, sequence, max_time, 'APPLIED', created_at
     from envelope where hash = $2`,
    [hash, sure(slow).hash],
  );
  expect(await settle()).toMatchObject({ kind: 'refused', code: 'overtaken' });
});

it('has expired once its bound has passed for the slowest node, not before', async () => {
  const { maxTime, ...signed } = sure(await parties.signTransfer('1'));
  const settle = settling(done({ maxTime, ...signed }));
  await sandbox.arm('ledger', 'submit', 'drop-before');
  expect((await settle()).kind).toBe('unknown');
  const untilBound = maxTime - sure(await parties.adapters.network.closeTime());
  await sandbox.advance(untilBound + 40);
  expect((await settle()).kind).toBe('unknown');
  await sandbox.advance(30);
  expect(await settle()).toMatchObject({ kind: 'refused', code: 'expired' });
});
