//! Computes the transfer that an address needs from its books and its known balance. Pure.
import type { Movement } from './in-flight.ts';

export interface Situation {
  /** The amount that the address should hold: before the network was read, and after. */
  readonly targets: readonly [before: bigint, after: bigint];
  /** The amount there that is known to be ours. */
  readonly mirrored: bigint;
  /** The whole balance. */
  readonly actual: bigint;
  readonly movement: Movement;
}

export interface Need {
  /** To the address; negative means from it. */
  readonly stroops: bigint;
  /** A transfer is needed, but has to wait while the user's money moves. */
  readonly isHeldBack: boolean;
}

/**
 * Of two readings of the books the one that moves less counts; a change in between is checked
 * again. Nothing is taken while the user's orders move money, since the address may then hold more
 * than the books. Never more is taken than is known to be ours: the rest may be a deposit not seen
 * yet.
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
