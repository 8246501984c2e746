//! What an address needs, from what the books say and what is known to be there: pure.
import type { Movement } from './in-flight.ts';

export interface Situation {
  /** What the address should hold: before the network was asked, and after. */
  readonly targets: readonly [before: bigint, after: bigint];
  /** What is known to be ours there. */
  readonly mirrored: bigint;
  /** All that is there. */
  readonly actual: bigint;
  readonly movement: Movement;
}

export interface Need {
  /** To the address; negative from it. */
  readonly stroops: bigint;
  /** There is something to do, but not while the user's money moves. */
  readonly isHeldBack: boolean;
}

/**
 * Of two readings of the books the one counts that moves less: what changed in between is looked at
 * again. Nothing is taken while the user's orders move money, since the address may rightly hold
 * more than the books say, and never more than is known to be ours: the rest may be a deposit that
 * nobody has seen yet.
 */
export function needOf({ targets, mirrored, actual, movement }: Situation): Need {
  const [low, high] = targets[0] < targets[1] ? targets : [targets[1], targets[0]];
  const isShort = low > mirrored;
  const isOver = high < mirrored;
  // A withdrawal's payment may have left while the books still hold the money.
  if (movement === 'withdrawal' || (movement === 'order' && isOver))
    return { stroops: 0n, isHeldBack: isShort || isOver };
  const over = mirrored - high;
  const stroops = isShort ? low - mirrored : isOver ? -(over < actual ? over : actual) : 0n;
  return { stroops, isHeldBack: false };
}
