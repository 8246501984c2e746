//! Tests the comparison of an address with the books, the mirror and external payments.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AddressState, compareAddress, isExplained } from './compare-address.ts';

const UNIT = 10_000_000n;
const state = (changes: Partial<AddressState> = {}): AddressState => ({
  userId: 'usr_1',
  address: 'GUSER',
  currency: 'USDC',
  booked: 10n * UNIT,
  dust: 0n,
  mirrored: 10n * UNIT,
  isMoving: false,
  actual: 10n * UNIT,
  ...changes,
});
const paymentOf = (stroops: bigint) => ({
  operationId: '1',
  part: 0,
  from: 'GSTRANGER',
  hash: 'aa',
  stroops,
  at: 0,
});
const headsOf = (...of: Parameters<typeof compareAddress>) =>
  compareAddress(...of).map(({ head, difference }) => difference?.cause ?? head);

describe('an address', () => {
  it('is right when it holds what the books say', () => {
    expect(headsOf(state(), [])).toEqual(['matched']);
    const dusty = state({ dust: 5n, actual: 10n * UNIT + 5n, mirrored: 10n * UNIT + 5n });
    expect(headsOf(dusty, [])).toEqual(['matched', 'DUST']);
  });

  it('is in transit when it holds the mirror’s last known amount, or while money moves', () => {
    expect(headsOf(state({ booked: 12n * UNIT }), [])).toEqual(['inFlight']);
    expect(headsOf(state({ isMoving: true, actual: 3n }), [])).toEqual(['inFlight']);
  });

  it('lists each payment that was not booked, and then the rest', () => {
    const more = state({ actual: 13n * UNIT });
    expect(headsOf(more, [paymentOf(3n * UNIT)])).toEqual(['LEDGER_PAYMENT_UNBOOKED']);
    expect(headsOf(more, [paymentOf(2n * UNIT)])).toEqual([
      'LEDGER_PAYMENT_UNBOOKED',
      'ADDRESS_DIFFERENCE',
    ]);
    expect(headsOf(state({ actual: 9n * UNIT }), [])).toEqual(['ADDRESS_DIFFERENCE']);
  });

  it('reports less than a cent as dust, whether it was recorded or not', () => {
    expect(headsOf(state({ actual: 10n * UNIT + 99_999n }), [])).toEqual(['DUST']);
    expect(headsOf(state({ actual: 10n * UNIT + 100_000n }), [])).toEqual(['ADDRESS_DIFFERENCE']);
  });
});

const stroops = fc.bigInt({ min: 0n, max: 10n ** 14n });
const anyState = fc
  .record({
    booked: stroops,
    dust: fc.bigInt({ min: 0n, max: 99_999n }),
    mirrored: stroops,
    actual: stroops,
    isMoving: fc.boolean(),
  })
  .map(state);

it('the differences of an address and its dust sum to the network’s excess over the books', () => {
  fc.assert(
    fc.property(anyState, fc.array(stroops, { maxLength: 3 }), (each, paid) => {
      const findings = compareAddress(each, paid.map(paymentOf));
      const differences = findings.flatMap(({ difference }) => difference ?? []);
      if (isExplained(each)) {
        expect(differences.every(({ cause }) => cause === 'DUST')).toBe(true);
        return;
      }
      const sum = differences.reduce((all, difference) => all + difference.stroops, 0n);
      expect(sum).toBe(each.actual - each.booked);
    }),
  );
});
