//! Plans each order from the seed before the run starts, so that a run's orders can be reproduced.
import { milestonesOf } from '../../harness/orders.ts';
import { randomOf, type SeededRandom } from '../../harness/random.ts';
import type { Marketplace } from './environment.ts';
import { amountText } from './order.ts';

export interface Plan<S extends string = string> {
  readonly number: number;
  readonly script: S;
  readonly marketplace: Marketplace;
  readonly buyerId: string;
  readonly sellerId: string;
  readonly amount: bigint;
  /** In percent; null where the order names none. */
  readonly feeRate: string | null;
  /** The amounts of the milestones; they sum to the amount. */
  readonly milestones: readonly bigint[];
  /** The source of the script's own random choices. */
  readonly random: SeededRandom;
}

/** The random stream of each component. */
const RANDOM_STREAM = { deck: 10, plans: 100_000 };
const AMOUNT = { least: 1_000, spread: 49_000 };
const FEE_RATES = [null, null, '0', '2.75', '7.33', '50'] as const;
const MILESTONE_COUNTS = [0, 1, 3] as const;

export function planLives<S extends string>(
  shares: Readonly<Record<S, number>>,
  count: number,
  seed: number,
  marketplaces: readonly Marketplace[],
): Plan<S>[] {
  const deck = randomOf(seed, RANDOM_STREAM.deck).shuffled(expandShares(shares, count));
  return deck.map((script, at) => {
    const random = randomOf(seed, RANDOM_STREAM.plans + at);
    const marketplace = marketplaces[at % marketplaces.length];
    if (marketplace === undefined) throw new Error('no marketplaces');
    const [buyerId = '', sellerId = ''] = random.shuffled(marketplace.userIds);
    const amount = BigInt(AMOUNT.least + random.below(AMOUNT.spread));
    const feeRate = random.oneOf(FEE_RATES);
    const milestones = partsOf(amount, random.oneOf(MILESTONE_COUNTS), random);
    const parties = { marketplace, buyerId, sellerId };
    return { number: at + 1, script, ...parties, amount, feeRate, milestones, random };
  });
}

/** As many of each as its share gives, rounded to whole orders; the largest remainders first. */
export function expandShares<S extends string>(
  shares: Readonly<Record<S, number>>,
  count: number,
): S[] {
  const rows = Object.entries(shares) as [S, number][];
  const whole = rows.reduce((sum, [, share]) => sum + share, 0);
  const dealt = rows.map(([name, share]) => {
    const exact = (count * share) / whole;
    return { name, times: Math.floor(exact), rest: exact - Math.floor(exact) };
  });
  const left = count - dealt.reduce((sum, { times }) => sum + times, 0);
  const neediest = dealt.toSorted((one, other) => other.rest - one.rest).slice(0, left);
  return dealt.flatMap((row) =>
    Array.from({ length: row.times + (neediest.includes(row) ? 1 : 0) }, () => row.name),
  );
}

/** At least one unit of money each: less is not a valid amount. */
function partsOf(amount: bigint, count: number, random: SeededRandom): bigint[] {
  if (count === 0) return [];
  const parts: bigint[] = [];
  let left = amount;
  for (let at = count; at > 1; at -= 1) {
    const most = Number(left) - 100 * at;
    const part = BigInt(100 + random.below(most));
    parts.push(part);
    left -= part;
  }
  return [...parts, left];
}

/** The body that creates the order. Its reference makes creation safe to repeat. */
export function orderBody(plan: Plan, seed: number): object {
  const { number, script, buyerId, sellerId, feeRate } = plan;
  return {
    buyerId,
    sellerId,
    amount: amountText(plan.amount),
    title: `${script} ${number}`,
    clientOrderRef: `chaos-${seed}-${script}-${number}`,
    milestones: milestonesOf(plan.milestones.map(amountText)),
    ...(feeRate === null ? {} : { metadata: { platformFee: feeRate } }),
  };
}
