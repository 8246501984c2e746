//! Counts and sums of a run, stored as JSON between its steps, and their addition.
import { type Compared, type Finding, HEADS, type Head } from '../comparison/finding.ts';

/** Sums are text: JSON has no whole numbers of this size. */
export type Tally = Readonly<Record<Head, { readonly count: number; readonly stroops: string }>>;

/** By provider and currency: `payment_provider USD`. */
export type Tallies = Readonly<Record<string, Tally>>;

const EMPTY = Object.fromEntries(
  HEADS.map((head) => [head, { count: 0, stroops: '0' }]),
) as unknown as Tally;

export function tallyOf(provider: Compared, findings: readonly Finding[]): Tallies {
  let sum: Tallies = {};
  for (const { head, currency, stroops } of findings)
    sum = addTallies(sum, {
      [`${provider} ${currency}`]: { ...EMPTY, [head]: { count: 1, stroops: String(stroops) } },
    });
  return sum;
}

export function addTallies(one: Tallies, other: Tallies): Tallies {
  const sum: Record<string, Tally> = { ...one };
  for (const [name, tally] of Object.entries(other)) sum[name] = addTally(sum[name], tally);
  return sum;
}

function addTally(one: Tally = EMPTY, other: Tally): Tally {
  return Object.fromEntries(
    HEADS.map((head) => [
      head,
      {
        count: one[head].count + other[head].count,
        stroops: String(BigInt(one[head].stroops) + BigInt(other[head].stroops)),
      },
    ]),
  ) as unknown as Tally;
}
