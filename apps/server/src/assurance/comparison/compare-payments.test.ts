//! Tests the comparison of a pair of records: by money first, then by status.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListedPayment } from '../../providers/payments/payment-provider.ts';
import {
  comparePayment,
  driftMinor,
  movedMinor,
  type OwnPayment,
  type PaymentKind,
  type PaymentPair,
} from './compare-payments.ts';

const NOW = 1_800_000_000_000;
const OLD = NOW - 86_400_000;

const own = (changes: Partial<OwnPayment> = {}): OwnPayment => ({
  id: 'topup_1',
  status: 'TOPUP_SUCCEEDED',
  isFinal: true,
  currency: 'USD',
  amountMinor: 5000n,
  bookedMinor: 5000n,
  awaitsRecord: false,
  createdAt: OLD,
  updatedAt: OLD,
  ...changes,
});
const listed = (changes: Partial<ListedPayment> = {}): ListedPayment => ({
  id: 'payin-1',
  code: 'topup_1',
  status: 'confirmed',
  vendorStatus: 'CONFIRMED',
  amountMinor: 5000n,
  grossMinor: 5000n,
  createdAt: OLD,
  updatedAt: OLD,
  note: null,
  ...changes,
});
const pair = (changes: Partial<PaymentPair> = {}): PaymentPair => ({
  kind: 'payin',
  ours: own(),
  theirs: listed(),
  resolvedMinor: 0n,
  doubles: null,
  settledBefore: NOW,
  ...changes,
});
const payout = { kind: 'payout', resolvedMinor: 0n } as const;
const paid = own({ id: 'wd_1', bookedMinor: -5000n });
const sent = listed({ id: 'payout-1', code: 'wd_1', status: 'completed' });

// biome-ignore format: a table.
const ROWS: readonly [means: string, changes: Partial<PaymentPair>, head: string, cause?: string, minor?: bigint][] = [
  ['both have it', {}, 'matched'],
  ['a payout that both have', { ...payout, ours: paid, theirs: sent }, 'matched'],
  ['open on both sides', { ours: own({ isFinal: false, bookedMinor: 0n }), theirs: listed({ status: 'created' }) }, 'inFlight'],
  ['failed on both sides', { ours: own({ bookedMinor: 0n }), theirs: listed({ status: 'failed' }) }, 'matched'],
  ['confirmed a moment ago, and not booked yet', { ours: own({ isFinal: false, bookedMinor: 0n }), theirs: listed({ updatedAt: NOW }) }, 'inFlight'],
  ['confirmed long ago, and not booked', { ours: own({ isFinal: false, bookedMinor: 0n }) }, 'mismatched', 'STATUS_MISMATCH', 5000n],
  ['failed there long ago, and still open here', { ours: own({ isFinal: false, bookedMinor: 0n }), theirs: listed({ status: 'failed' }) }, 'mismatched', 'STATUS_MISMATCH', 0n],
  ['booked here, failed there', { theirs: listed({ status: 'failed' }) }, 'mismatched', 'STATUS_MISMATCH', -5000n],
  ['the provider keeps a fee, and its record was not read yet', { ours: own({ awaitsRecord: true }), theirs: listed({ amountMinor: 4940n }) }, 'inFlight'],
  ['the provider keeps a fee, and the books have it', { ours: own({ bookedMinor: 4940n }), theirs: listed({ amountMinor: 4940n }) }, 'matched'],
  ['reversed there, and the books have it', { ours: own({ bookedMinor: -60n }), theirs: listed({ status: 'reversed', amountMinor: 4940n }) }, 'matched'],
  ['reversed there a while ago, and not here', { ours: own({ bookedMinor: 4940n }), theirs: listed({ status: 'reversed', amountMinor: 4940n }) }, 'mismatched', 'AMOUNT_MISMATCH', -5000n],
  ['another amount there', { theirs: listed({ amountMinor: 5001n }) }, 'mismatched', 'AMOUNT_MISMATCH', 1n],
  ['another amount there, booked to suspense', { ours: own({ bookedMinor: 5001n }), theirs: listed({ amountMinor: 5001n }) }, 'matched'],
  ['no record here', { ours: undefined }, 'missingHere', 'PAYIN_MISSING_HERE', 5000n],
  ['no record here, however young: nothing of ours will bring it', { ours: undefined, theirs: listed({ updatedAt: NOW }) }, 'missingHere', 'PAYIN_MISSING_HERE', 5000n],
  ['no record here, and nothing has moved', { ours: undefined, theirs: listed({ status: 'created' }) }, 'inFlight'],
  ['no record here, and posted since', { ours: undefined, resolvedMinor: 5000n }, 'matched'],
  ['no record there', { theirs: undefined }, 'missingThere', 'PAYIN_MISSING_THERE', -5000n],
  ['no record there, and nothing was booked yet', { theirs: undefined, ours: own({ isFinal: false, bookedMinor: 0n }) }, 'inFlight'],
  ['a second payout for a withdrawal', { ...payout, ours: undefined, theirs: sent, doubles: 'wd_1' }, 'missingHere', 'PAYOUT_DOUBLED', -5000n],
  ['a payout without an owner', { ...payout, ours: undefined, theirs: sent }, 'missingHere', 'PAYOUT_MISSING_HERE', -5000n],
  ['a payout that never was', { ...payout, ours: paid, theirs: undefined }, 'missingThere', 'PAYOUT_MISSING_THERE', 5000n],
];

describe('a pair of records', () => {
  it.each(ROWS)('%s', (_, changes, head, cause, minor) => {
    const { head: found, difference } = comparePayment(pair(changes));
    expect([found, difference?.cause, difference?.stroops]).toEqual([
      head,
      cause,
      minor === undefined ? undefined : minor * 100_000n,
    ]);
  });
});

const kinds = fc.constantFrom<PaymentKind>('payin', 'payout');
const cents = fc.bigInt({ min: 1n, max: 10n ** 12n });
const statuses = fc.constantFrom('created', 'confirmed', 'completed', 'failed', 'canceled');
const times = fc.constantFrom(OLD, NOW);
const anyPair = fc
  .record({
    kind: kinds,
    ours: fc.option(
      fc.record({ isFinal: fc.boolean(), bookedMinor: cents, isBooked: fc.boolean(), at: times }),
      { nil: undefined },
    ),
    theirs: fc.option(fc.record({ status: statuses, amountMinor: cents, at: times }), {
      nil: undefined,
    }),
    resolvedMinor: fc.constantFrom(0n, 7n),
  })
  .map(({ kind, ours, theirs, resolvedMinor }) =>
    pair({
      kind,
      resolvedMinor,
      ours:
        ours &&
        own({
          isFinal: ours.isFinal,
          bookedMinor: ours.isBooked ? (kind === 'payin' ? 1n : -1n) * ours.bookedMinor : 0n,
          updatedAt: ours.at,
        }),
      theirs:
        theirs &&
        listed({ status: theirs.status, amountMinor: theirs.amountMinor, updatedAt: theirs.at }),
    }),
  );

describe('for all states of the two sides', () => {
  it('every cent between them is reported as a difference or as in transit', () => {
    fc.assert(
      fc.property(anyPair, (each) => {
        const { head, difference } = comparePayment(each);
        const drift = driftMinor(each);
        if (difference !== undefined) expect(difference.stroops).toBe(drift * 100_000n);
        else if (drift !== 0n) expect(head).toBe('inFlight');
        if (head === 'matched') expect(drift).toBe(0n);
      }),
    );
  });

  it('the posting that resolves a difference removes it', () => {
    fc.assert(
      fc.property(anyPair, (each) => {
        const posted = { ...each, resolvedMinor: each.resolvedMinor + driftMinor(each) };
        expect(driftMinor(posted)).toBe(0n);
        expect(comparePayment(posted).difference?.stroops ?? 0n).toBe(0n);
      }),
    );
  });

  it('the same record has the same key, and only ended records have moved money', () => {
    fc.assert(
      fc.property(anyPair, (each) => {
        const later = { ...each, settledBefore: NOW + 1 };
        const keys = [each, later].flatMap((one) => comparePayment(one).difference?.key ?? []);
        expect(new Set(keys).size).toBeLessThanOrEqual(1);
        const hasMoved = movedMinor(each.kind, each.theirs) !== 0n;
        if (hasMoved) expect(['confirmed', 'completed']).toContain(each.theirs?.status);
      }),
    );
  });
});
