//! Which failpoints a run met, saga by saga, and whether any is missing around what it did.
import type { Result } from './cell.ts';

/** Where the first is met, the others have to be: in this drive or in one after a death. */
const SURROUNDINGS: Readonly<Record<string, readonly string[]>> = {
  'before-tx': ['in-tx', 'after-tx'],
  'before-claim': ['in-claim', 'after-claim', 'before-mark', 'in-mark', 'after-mark'],
  'before-sign': ['after-sign', 'after-persist', 'before-send', 'after-send', 'after-answer'],
};

export interface Coverage {
  /** One line per saga and number of milestones. */
  readonly text: string;
  readonly missing: readonly string[];
}

/** From the runs without a death, which find the places. */
export function coverageOf(plain: readonly Result[]): Coverage {
  const groups = Map.groupBy(plain, ({ saga, milestones }) => `${saga.name}, ${milestones}`);
  const found = [...groups].map(([name, results]) => ({ name, ...met(results) }));
  const lines = found.map(
    ({ name, places, whenDone, sends }) =>
      `${name} milestones: ${places.size} failpoints, ${whenDone.size} of them when every answer ` +
      `is done; ${sends} sends\n`,
  );
  const missing = found.flatMap(({ name, places }) =>
    missingAround(places).map((place) => `${name} milestones: nothing dies at ${place}`),
  );
  return { text: lines.join(''), missing };
}

function met(results: readonly Result[]) {
  const placesOf = (some: readonly Result[]) => new Set(some.flatMap(({ passed }) => passed));
  const places = placesOf(results);
  const whenDone = placesOf(results.filter(({ fault }) => fault === null));
  const sends = [...whenDone].filter((place) => place.endsWith(':before-send')).length;
  return { places, whenDone, sends };
}

function missingAround(places: ReadonlySet<string>): string[] {
  return [...places].flatMap((place) => {
    const [, step = '', what = ''] = /^(.+):([^:]+)$/.exec(place) ?? [];
    const wanted = (SURROUNDINGS[what] ?? []).map((each) => `${step}:${each}`);
    return wanted.filter((each) => !places.has(each));
  });
}
