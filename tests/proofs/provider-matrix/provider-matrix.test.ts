//! Runs the matrix and compares every cell with its expected result.
import { newId } from '@holdfast/kernel/ids';
import { beforeAll, describe, expect, it } from 'vitest';
import { PersistedEnvelope } from '../../../apps/server/src/providers/network/envelope.ts';
import { knowNumberBefore } from '../../../apps/server/src/testing/known-number.ts';
import { CELLS, expectationOf, type Result } from './cell.ts';
import { openEnvironment, openTransactor } from './environment.ts';
import { runMatrix } from './run.ts';

let results: readonly Result[] = [];

beforeAll(async () => {
  results = await runMatrix();
}, 180_000);

describe('a provider that fails', () => {
  for (const cell of CELLS) {
    const { provider, operation, fault } = cell;
    const { first, final, effects } = expectationOf(cell);
    it(`${provider} ${operation}, ${fault}: ${first}, then ${final}, ${effects} effect(s)`, () => {
      const found = results.find(
        (each) =>
          each.provider === provider && each.operation === operation && each.fault === fault,
      );
      expect(found).toMatchObject({ first, final, effects });
    });
  }

  it('never causes an effect twice', () => {
    expect(results).toHaveLength(CELLS.length);
    expect(Math.max(...results.map(({ effects }) => effects))).toBe(1);
  });
});

describe('the journal', () => {
  it('shows a double payment when a caller signs again after a lost reply', async () => {
    await using database = await openTransactor();
    await using environment = await openEnvironment(database);
    const { parties, sandbox, app, call } = environment;
    const terms = parties.terms();
    const { kind, stroops } = terms;
    const signer = parties.buyer.address;
    const contractId = await parties.take({ step: 'deploy', signer, terms });
    const fund = { step: 'fund', kind, contractId, signer, stroops, terms } as const;
    await sandbox.arm('escrow', 'fund', 'drop-after');
    for (const outcome of ['unknown', 'done']) {
      const signed = await parties.sign(fund);
      if (signed.kind !== 'done') throw new Error(signed.reason);
      await knowNumberBefore(app, call, signed);
      const persisted = await PersistedEnvelope.persist(
        app,
        call,
        newId('op', Date.now()),
        signed.value,
      );
      if (!(persisted instanceof PersistedEnvelope)) throw new Error(persisted.reason);
      expect((await app.network.send(persisted)).kind).toBe(outcome);
    }
    const effects = (await sandbox.journal()).filter(({ effect }) => effect === 'escrow.fund');
    expect(effects).toHaveLength(2);
  });
});
