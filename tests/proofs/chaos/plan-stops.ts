//! Plans the stops of a run from its seed. They are spread over the whole run, however long it is,
//! and each marketplace is stopped for a seventh of it at most.
import type { SeededRandom } from '../../harness/random.ts';
import { STOP_LEVELS, type StopLevel } from '../../harness/stops.ts';

/** A stop of one marketplace, or the pause of the payouts of all. */
export type StopKind = StopLevel | 'PAUSE';
export const STOP_KINDS: readonly StopKind[] = ['PAUSE', ...STOP_LEVELS];

export interface PlannedStop {
  readonly kind: StopKind;
  /** How long it stands after it has settled. */
  readonly standsMs: number;
  /** How many times as long as it stood the marketplace then runs. */
  readonly restFactor: number;
}

export interface StopPlan {
  /** The time before the first stop. */
  readonly firstMs: number;
  /** The next stop; undefined after the last. */
  readonly next: () => PlannedStop | undefined;
}

interface Pace {
  /** The stops of each marketplace. */
  readonly stopsMax: number;
  readonly firstMsMax: number;
  readonly standsMs: { readonly least: number; readonly spread: number };
}

const FULL: Pace = {
  stopsMax: Infinity,
  firstMsMax: 8000,
  standsMs: { least: 1000, spread: 3000 },
};
const QUICK: Pace = { stopsMax: 1, firstMsMax: 1500, standsMs: { least: 200, spread: 400 } };
const REST_FACTOR = { least: 6, spread: 3 };

/**
 * Every marketplace has each level in turn. They start with different ones, so that a quick run has
 * all. In the turns of the first, the payouts of all marketplaces are paused as well.
 */
export function planStops(at: number, isQuick: boolean, random: SeededRandom): StopPlan {
  const { stopsMax, firstMsMax, standsMs } = isQuick ? QUICK : FULL;
  const kinds = at === 0 ? STOP_KINDS : STOP_LEVELS;
  let drawn = 0;
  return {
    firstMs: random.below(firstMsMax),
    next: () => {
      if (drawn === stopsMax) return undefined;
      const kind = kinds[(at + drawn) % kinds.length] as StopKind;
      drawn += 1;
      return {
        kind,
        standsMs: standsMs.least + random.below(standsMs.spread),
        restFactor: REST_FACTOR.least + random.below(REST_FACTOR.spread),
      };
    },
  };
}
