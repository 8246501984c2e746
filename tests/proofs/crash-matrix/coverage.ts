//! Reports the failpoints that a run met, saga by saga, and any that are missing.
import type { Result } from './cell.ts';

/** Where the first is met, the others must be too: in this attempt or in one after a crash. */
const SURROUNDINGS: Readonly<Record<string, readonly string[]>> = {
  'before-tx': ['in-tx', 'after-tx'],
  'before-claim': ['in-claim', 'after-claim', 'before-mark', 'in-mark', 'after-mark'],
  'before-sign': ['after-sign', 'after-persist', 'before-send', 'after-send', 'after-reply'],
};

export interface Coverage {
  /** One line per saga and number of milestones. */
  readonly text: string;
  readonly missing: readonly string[];
}

/** From the runs without a crash, which find the crash points. */
export function coverageOf(plain: readonly Result[]): Coverage {
  const groups = Map.groupBy(plain, ({ saga, milestones }) => `${saga.name}, ${milestones}`);
  const found = [...groups].map(([name, results]) => ({ name, ...met(results) }));
  const lines = found.map(
    ({ name, crashPoints, whenDone, sends }) =>
      `${name} milestones: ${crashPoints.size} crash points, ${whenDone.size} of them when every reply ` +
      `is done; ${sends} sends\n`,
  );
  const missing = found.flatMap(({ name, crashPoints }) =>
    missingAround(crashPoints).map((crashPoint) => `${name} milestones: no crash at ${crashPoint}`),
  );
  return { text: lines.join(''), missing };
}

function met(results: readonly Result[]) {
  const crashPointsOf = (some: readonly Result[]) => new Set(some.flatMap(({ passed }) => passed));
  const crashPoints = crashPointsOf(results);
  const whenDone = crashPointsOf(results.filter(({ fault }) => fault === null));
  const sends = [...whenDone].filter((crashPoint) => crashPoint.endsWith(':before-send')).length;
  return { crashPoints, whenDone, sends };
}

function missingAround(crashPoints: ReadonlySet<string>): string[] {
  return [...crashPoints].flatMap((crashPoint) => {
    const [, step = '', what = ''] = /^(.+):([^:]+)$/.exec(crashPoint) ?? [];
    const wanted = (SURROUNDINGS[what] ?? []).map((each) => `${step}:${each}`);
    return wanted.filter((each) => !crashPoints.has(each));
  });
}
