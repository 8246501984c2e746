import fc from 'fast-check';
import { expect, it } from 'vitest';
import { needOf, type Situation } from './plan-transfers.ts';

const situation = (more: Partial<Situation>): Situation => ({
  targets: [100n, 100n],
  mirrored: 100n,
  actual: 100n,
  movement: 'none',
  ...more,
});

it.each<[string, Partial<Situation>, bigint, boolean]>([
  ['nothing where it is right', {}, 0n, false],
  ['what it is short of', { mirrored: 60n, actual: 60n }, 40n, false],
  ['the excess back', { mirrored: 130n, actual: 130n }, -30n, false],
  ['less, where the books moved meanwhile', { targets: [150n, 120n] }, 20n, false],
  ['nothing, where the books moved to both sides', { targets: [90n, 110n] }, 0n, false],
  ['nothing back of what is not known to be ours', { actual: 180n }, 0n, false],
  ['no more than is there', { targets: [0n, 0n], actual: 70n }, -70n, false],
  ['nothing back while an order moves', { mirrored: 130n, movement: 'order' }, 0n, true],
  ['what is short, also while an order moves', { mirrored: 60n, movement: 'order' }, 40n, false],
  ['nothing while a withdrawal leaves', { mirrored: 60n, movement: 'withdrawal' }, 0n, true],
  [
    'nothing, and holds nothing back, when the address is right',
    { movement: 'withdrawal' },
    0n,
    false,
  ],
])('sends %s', (_, more, stroops, isHeldBack) => {
  expect(needOf(situation(more))).toEqual({ stroops, isHeldBack });
});

it('never takes more than is known to be ours, and never sends past the books', () => {
  const amount = fc.bigInt({ min: 0n, max: 1000n });
  const movement = fc.constantFrom('none', 'order', 'withdrawal' as const);
  fc.assert(
    fc.property(amount, amount, amount, amount, movement, (before, after, mirrored, more, how) => {
      const actual = mirrored + more;
      const { stroops } = needOf({ targets: [before, after], mirrored, actual, movement: how });
      const there = mirrored + stroops;
      if (stroops > 0n) expect(there <= before && there <= after).toBe(true);
      if (stroops < 0n) expect(there >= before && there >= after && there >= 0n).toBe(true);
    }),
  );
});
