//! Divides very many orders: the parts add up, and no party gets a negative amount.
import { Money, RATE_MAX } from '@holdfast/kernel/money';
import { seededRandom } from '@holdfast/kernel/random';
import { expect, it } from 'vitest';
import { readParts } from './decision.ts';

/** Every night it is a million. */
const CASES = Number(process.env['TEST_CASES'] ?? 100_000);
const AMOUNT_MAX = 100_000_000n;

it('divides every order to the cent, for every decision', () => {
  const random = seededRandom(20_261_115);
  const bytes = new Uint8Array(8);
  const below = (limit: bigint) => {
    random.fill(bytes);
    return new DataView(bytes.buffer).getBigUint64(0) % limit;
  };
  const decisions = ['FULL_RELEASE', 'FULL_REFUND', 'SPLIT'] as const;
  let wrong = 0;
  for (let index = 0; index < CASES; index += 1) {
    // Small amounts are where rounding shows.
    const amount = Money.ofMinor(2n + below(index % 2 === 0 ? 1000n : AMOUNT_MAX), 'USD');
    const rate = below(RATE_MAX + 1n);
    const decision = decisions[index % 3] as (typeof decisions)[number];
    const cut = Money.ofMinor(1n + below(amount.minor - 1n), 'USD');
    const split = { releaseAmount: cut.text, refundAmount: amount.minus(cut).text };
    const input = decision === 'SPLIT' ? { decision, ...split } : { decision };
    const { releaseAmount, refundAmount } = readParts({ amount, currency: 'USD' }, input);
    const { fee, net } = releaseAmount.feeAndNet(rate);
    const isWhole = net.minor + fee.minor + refundAmount.minor === amount.minor;
    // Half-even: never more than half a cent from its due.
    const isDue = abs(fee.minor * 10_000n - releaseAmount.minor * rate) * 2n <= 10_000n;
    const areAllPaid = net.minor >= 0n && fee.minor >= 0n && refundAmount.minor >= 0n;
    if (!isWhole || !isDue || !areAllPaid) wrong += 1;
  }
  expect(wrong).toBe(0);
}, 60_000);

const abs = (value: bigint) => (value < 0n ? -value : value);
