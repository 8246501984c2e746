//! Tests the equation of solvency, and the meaning of a difference.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AssetPosition } from './house-position.ts';
import {
  type AssetSnapshot,
  betterOf,
  expectedAtProvider,
  openingOf,
  solvencyOf,
  worstOf,
} from './solvency-terms.ts';

const amounts = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });
const sizes = fc.bigInt({ min: 0n, max: 10n ** 15n });

/** Books that sum to zero, as they always do. */
const positions = fc
  .record({
    user: sizes,
    escrow: sizes,
    fee_income: sizes,
    suspense: amounts,
    adjustments: amounts,
    provider_fees: amounts,
    treasury: fc.constant(0n),
    payment_clearing: amounts,
    dust: sizes,
    fees: sizes,
    network: amounts,
    provider: amounts,
  })
  .map(({ dust, fees, network, provider, ...kinds }): AssetPosition => {
    const sum = Object.values(kinds).reduce((all, each) => all + each, 0n);
    return {
      booked: { ...kinds, network_clearing: -sum },
      mirrored: { stroops: kinds.user + dust, dust, moving: 0n, lacking: 0n },
      moving: 0n,
      providerFees: fees,
      capital: { ledger_network: network, payment_provider: provider },
      unconfirmed: 0n,
      isOpened: { ledger_network: true, payment_provider: true },
    };
  });

/** The balances that make the books right. */
function rightSnapshot(position: AssetPosition): AssetSnapshot {
  const { booked, mirrored, capital, providerFees } = position;
  const came = -(booked['network_clearing'] ?? 0n);
  const network = capital.ledger_network + came + mirrored.dust - providerFees;
  const elsewhere = mirrored.stroops + (booked['escrow'] ?? 0n) + 7n;
  return {
    paymentProvider: expectedAtProvider(position),
    treasury: network - elsewhere,
    platform: 7n,
    spendable: 0n,
    inFlightAtProvider: 0n,
  };
}

describe('the equation', () => {
  it('holds for every set of books that sums to zero', () => {
    fc.assert(
      fc.property(positions, (position) => {
        const { difference, status } = solvencyOf('USDC', position, rightSnapshot(position), 0n);
        expect([difference, status]).toEqual([0n, 'BALANCED']);
      }),
    );
  });

  it('reports every stroop that is missing or too much, and on which side', () => {
    fc.assert(
      fc.property(positions, amounts, amounts, (position, atProvider, onNetwork) => {
        const right = rightSnapshot(position);
        const fetched = {
          ...right,
          paymentProvider: (right.paymentProvider ?? 0n) + atProvider,
          treasury: right.treasury + onNetwork,
        };
        const group = solvencyOf('USDC', position, fetched, 0n);
        expect(group.difference).toBe(atProvider + onNetwork);
        expect(group.atPaymentProvider).toBe(atProvider);
        if (atProvider !== 0n && atProvider !== -onNetwork) expect(group.status).toBe('BREACH');
        if (atProvider === 0n && onNetwork < 0n) expect(group.status).toBe('BREACH');
        if (atProvider === 0n && onNetwork > 0n) expect(group.status).toBe('SURPLUS');
      }),
    );
  });

  it('is opened with the capital that makes it hold', () => {
    fc.assert(
      fc.property(positions, fc.tuple(sizes, sizes), (position, [treasury, provider]) => {
        const fetched = { ...rightSnapshot(position), treasury, paymentProvider: provider };
        const { ledgerNetwork, paymentProvider } = openingOf(position, fetched);
        const capital = { ledger_network: ledgerNetwork, payment_provider: paymentProvider };
        expect(solvencyOf('USDC', { ...position, capital }, fetched, 0n).difference).toBe(0n);
      }),
    );
  });
});

describe('a difference', () => {
  const [position] = fc.sample(positions, { numRuns: 1, seed: 7 });
  if (position === undefined) throw new Error('a sample is drawn');
  const right = rightSnapshot(position);
  const less = (by: bigint): AssetSnapshot => ({ ...right, treasury: right.treasury - by });
  const statusOf = (moving: bigint, fetched: AssetSnapshot, tolerance = 0n) =>
    solvencyOf('USDC', { ...position, moving }, fetched, tolerance).status;

  it('is explained by the amount in transit, and by no stroop more', () => {
    expect(statusOf(100n, less(100n))).toBe('UNSETTLED');
    expect(statusOf(100n, less(101n))).toBe('BREACH');
  });

  it('is tolerated up to the tolerance', () => {
    expect(statusOf(0n, less(5n), 5n)).toBe('BALANCED');
    expect(statusOf(0n, less(6n), 5n)).toBe('BREACH');
  });

  it('at the provider is explained exactly, not within a bound', () => {
    const provider = (right.paymentProvider ?? 0n) + 100n;
    const waiting = { ...right, paymentProvider: provider, inFlightAtProvider: 100n };
    expect(statusOf(0n, waiting)).toBe('UNSETTLED');
    expect(statusOf(0n, { ...waiting, inFlightAtProvider: 101n })).toBe('BREACH');
    expect(statusOf(1000n, { ...waiting, inFlightAtProvider: 99n })).toBe('BREACH');
  });

  it('at the provider is explained by money known by a notification only, up to its sum', () => {
    const lacking = (by: bigint) => ({
      ...right,
      paymentProvider: (right.paymentProvider ?? 0n) - by,
    });
    const of = (fetched: AssetSnapshot) =>
      solvencyOf('USDC', { ...position, unconfirmed: 100n }, fetched, 0n).status;
    expect([of(lacking(100n)), of(lacking(101n)), of(lacking(-1n))]).toEqual([
      'UNSETTLED',
      'BREACH',
      'BREACH',
    ]);
    expect(of({ ...lacking(100n), treasury: right.treasury - 1n })).toBe('BREACH');
  });

  it('is none when money only went from the provider to the treasury', () => {
    const moved = {
      ...right,
      treasury: right.treasury + 50n,
      paymentProvider: (right.paymentProvider ?? 0n) - 50n,
    };
    expect(statusOf(0n, moved)).toBe('BALANCED');
  });

  it('counts only when the books before and after both show it', () => {
    const [short, over] = [-3n, 4n].map((by) => solvencyOf('USDC', position, less(-by), 0n));
    if (short === undefined || over === undefined) throw new Error('there are two');
    expect(betterOf(short, over).status).toBe('UNSETTLED');
    expect(betterOf(short, short).status).toBe('BREACH');
  });

  it('of one asset decides the status of all', () => {
    expect(worstOf(['BALANCED', 'SURPLUS'])).toBe('SURPLUS');
    expect(worstOf(['BREACH', 'UNSETTLED'])).toBe('BREACH');
    expect(worstOf([])).toBe('BALANCED');
  });
});
