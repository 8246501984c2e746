//! What each life is about: drawn from the seed before anything begins, so that a run's orders can
//! be had again.
import { type Chance, chanceOf } from '../harness/chance.ts';
import { amountText } from './order.ts';
import type { Marketplace } from './stage.ts';

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
  /** What the script itself draws from. */
  readonly chance: Chance;
}

/** Who draws which chance. */
const LUCK = { deck: 10, plans: 100_000 };
const AMOUNT = { least: 1_000, spread: 49_000 };
const FEE_RATES = [null, null, '0', '2.75', '7.33', '50'] as const;
const MILESTONE_COUNTS = [0, 1, 3] as const;

export function planLives<S extends string>(
  shares: Readonly<Record<S, number>>,
  count: number,
  seed: number,
  marketplaces: readonly Marketplace[],
): Plan<S>[] {
  const deck = chanceOf(seed, LUCK.deck).shuffled(dealOut(shares, count));
  return deck.map((script, at) => {
    const chance = chanceOf(seed, LUCK.plans + at);
    const marketplace = marketplaces[at % marketplaces.length];
    if (marketplace === undefined) throw new Error('nowhere to live');
    const [buyerId = '', sellerId = ''] = chance.shuffled(marketplace.userIds);
    const amount = BigInt(AMOUNT.least + chance.below(AMOUNT.spread));
    const feeRate = chance.oneOf(FEE_RATES);
    const milestones = partsOf(amount, chance.oneOf(MILESTONE_COUNTS), chance);
    const number = at + 1;
    return {
      ...{ number, script, marketplace, buyerId, sellerId, amount, feeRate, milestones, chance },
    };
  });
}

/** As many of each as its share says, to the nearest whole life; the largest remainders first. */
export function dealOut<S extends string>(shares: Readonly<Record<S, number>>, count: number): S[] {
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

/** At least one unit of money each: a part below that is not an amount. */
function partsOf(amount: bigint, count: number, chance: Chance): bigint[] {
  if (count === 0) return [];
  const parts: bigint[] = [];
  let left = amount;
  for (let at = count; at > 1; at -= 1) {
    const most = Number(left) - 100 * at;
    const part = BigInt(100 + chance.below(most));
    parts.push(part);
    left -= part;
  }
  return [...parts, left];
}

/** The body that creates it. Its own reference makes creation safe to repeat. */
export function orderBody(plan: Plan, seed: number): object {
  const { number, script, buyerId, sellerId, feeRate } = plan;
  return {
    buyerId,
    sellerId,
    amount: amountText(plan.amount),
    title: `${script} ${number}`,
    clientOrderRef: `chaos-${seed}-${script}-${number}`,
    milestones: plan.milestones.map((amount, at) => ({
      ref: `m${at + 1}`,
      title: `Part ${at + 1}`,
      amount: amountText(amount),
    })),
    ...(feeRate === null ? {} : { metadata: { platformFee: feeRate } }),
  };
}
