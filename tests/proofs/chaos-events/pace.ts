//! Paces the run: its progress, and the number of events that may be written by now.

export interface Pace {
  /** From 0 to 1: the least of time, cuts and disruptions, so that all three overlap. */
  progress: () => number;
  /** Claims up to this many of the events that may be written now; 0 when it is too early. */
  claim: (wanted: number) => number;
  /** Returns claimed events that were rolled back. */
  giveBack: (events: number) => void;
  committed: (events: number) => void;
  /** Everything is written, or the run was aborted. */
  isOver: () => boolean;
  /** Aborts the run for all: one of them has failed. */
  giveUp: () => void;
  isUnfinished: () => boolean;
}

export interface Measures {
  readonly events: number;
  readonly seconds: number;
  /** From 0 to 1, by the consumer with the fewest cuts. */
  readonly cutShare: () => number;
  /** From 0 to 1: how far the disruptions let the run proceed. */
  readonly disruptionShare: () => number;
  /** The run may stop early: it has found enough faults. */
  readonly isHopeless: () => boolean;
}

/** Upper bound of a run's time, for slow machines. */
const LATEST = { times: 4, plusMs: 60_000 };

export function startPace(measures: Measures): Pace {
  const { events, seconds, cutShare, disruptionShare, isHopeless } = measures;
  const startedAt = performance.now();
  const latestMs = seconds * 1000 * LATEST.times + LATEST.plusMs;
  let claimed = 0;
  let written = 0;
  let isGivenUp = false;
  const elapsedMs = () => performance.now() - startedAt;
  const progress = () => Math.min(1, elapsedMs() / (seconds * 1000), cutShare(), disruptionShare());
  const isLate = () => elapsedMs() > latestMs;
  return {
    progress,
    claim(wanted) {
      const now = Math.max(0, Math.min(wanted, Math.ceil(events * progress()) - claimed));
      claimed += now;
      return now;
    },
    giveBack(count) {
      claimed -= count;
    },
    committed(count) {
      written += count;
    },
    isOver: () => isGivenUp || written >= events || isLate() || isHopeless(),
    giveUp() {
      isGivenUp = true;
    },
    isUnfinished: () => written < events,
  };
}
