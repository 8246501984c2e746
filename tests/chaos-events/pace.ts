//! How far the run is, and how many events may be written by now.

export interface Pace {
  /** From 0 to 1: the least of time, cuts and strikes, so that each of them meets the others. */
  progress: () => number;
  /** Takes up to so many of the events that may be written now; 0 when it is too early. */
  claim: (wanted: number) => number;
  /** What was claimed and rolled back can be claimed again. */
  giveBack: (events: number) => void;
  committed: (events: number) => void;
  /** Everything is written, or it has been given up. */
  isOver: () => boolean;
  /** Nobody goes on: one of them has failed. */
  giveUp: () => void;
  isUnfinished: () => boolean;
}

export interface Measures {
  readonly events: number;
  readonly seconds: number;
  /** From 0 to 1, by the consumer that has been cut least. */
  readonly cutShare: () => number;
  /** From 0 to 1: as far as the strikes let the run go on. */
  readonly strikeShare: () => number;
  /** It need not go on: what is wrong is clear by now. */
  readonly isHopeless: () => boolean;
}

/** However slow the machine is, a run ends. */
const LATEST = { times: 4, plusMs: 60_000 };

export function startPace(measures: Measures): Pace {
  const { events, seconds, cutShare, strikeShare, isHopeless } = measures;
  const startedAt = performance.now();
  const latestMs = seconds * 1000 * LATEST.times + LATEST.plusMs;
  let claimed = 0;
  let written = 0;
  let isGivenUp = false;
  const elapsedMs = () => performance.now() - startedAt;
  const progress = () => Math.min(1, elapsedMs() / (seconds * 1000), cutShare(), strikeShare());
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
