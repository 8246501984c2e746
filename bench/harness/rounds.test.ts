//! Rounds, ratios and verdicts, with figures that are given instead of measured.
import { expect, it } from 'vitest';
import { medianOf, percentilesOf, spreadOf } from './figures.ts';
import {
  type Case,
  cpuUsOf,
  linesOf,
  type Measured,
  type Rounds,
  runRounds,
  tableOf,
  targetsOf,
} from './rounds.ts';
import { conclude, isReached, targetText } from './verdict.ts';

const UNIT = { many: 'ops', cpu: 'µs' } as const;

function measured(perSecond: number, othersShare = 0, more: Partial<Measured> = {}): Measured {
  const usage = { cores: { api: 0.5, postgres: 0.25 }, othersShare, window: { from: 0, to: 1 } };
  return { perSecond, usage, faults: 0, ...more };
}

const never = () => Promise.reject(new Error('nothing is run here'));
const cases: Case<Measured>[] = [
  { name: 'bare', run: never },
  { name: 'service', baseline: 'bare', target: 2, run: never },
];
const given = (bare: Measured[], service: Measured[]): Rounds<Measured> =>
  new Map([
    ['bare', bare],
    ['service', service],
  ]);

it('takes the median of an odd and of an even count, and percentiles of many', () => {
  expect(medianOf([9, 1, 5])).toBe(5);
  expect(spreadOf([4, 1, 3, 2])).toEqual({ median: 2.5, low: 1, high: 4 });
  const hundred = Array.from({ length: 100 }, (_, at) => 100 - at);
  expect(percentilesOf(hundred)).toEqual({ p50: 51, p99: 100, max: 100 });
  expect(percentilesOf([]).p99).toBeNaN();
});

it('divides each figure by the baseline of the same round', () => {
  const rounds = given(
    [measured(100), measured(10), measured(50)],
    [measured(300), measured(15), measured(100)],
  );
  const [bare, service] = linesOf(cases, rounds);
  expect(bare?.ratio).toBeUndefined();
  expect(service?.ratio).toEqual({ median: 2, low: 1.5, high: 3 });
  expect(service?.cpuRatio).toEqual({ median: 2, low: 1.5, high: 3 });
  expect(service?.perSecond.median).toBe(100);
});

it('counts the rounds without a disturbance, or all rounds where there is none', () => {
  const bare = [measured(100), measured(100, 0.9), measured(100)];
  const one = linesOf(cases, given(bare, [measured(150), measured(900), measured(700, 0.3)]))[1];
  expect(one).toMatchObject({ quiet: 1, ratio: { median: 1.5, high: 1.5 } });
  const none = linesOf(cases, given(bare, [measured(200, 0.5), measured(300), measured(400, 0.5)]));
  expect(none[1]).toMatchObject({ quiet: 0, ratio: { median: 3, low: 2, high: 4 } });
});

it('counts the CPU of those who pay', () => {
  expect(cpuUsOf(measured(1000))).toBe(750);
  expect(cpuUsOf(measured(1000), 'api')).toBe(500);
  expect(cpuUsOf(measured(1000, 0, { payers: ['postgres'] }))).toBe(250);
  expect(cpuUsOf(measured(1000, 0, { payers: ['postgres'] }), 'api')).toBe(0);
});

it('runs every other round backward, and a disturbed run again', async () => {
  const ran: string[] = [];
  const shares = [0.9, 0.1];
  const run = (name: string, next: () => Measured) => async () => {
    ran.push(name);
    return next();
  };
  const rounds = await runRounds(
    [
      { name: 'a', run: run('a', () => measured(1, shares.shift() ?? 0, { faults: 1 })) },
      { name: 'b', run: run('b', () => measured(2)) },
    ],
    { rounds: 2, repeats: 1, unit: UNIT },
  );
  expect(ran).toEqual(['a', 'a', 'b', 'b', 'a']);
  // The calm one counts, but no fault is forgotten.
  expect(rounds.get('a')?.[0]).toMatchObject({ faults: 2, usage: { othersShare: 0.1 } });
});

it('shows every case with its ratio, CPU and faults', () => {
  const faulty = measured(250, 0, { faults: 3 });
  const lines = linesOf(cases, given([measured(100)], [faulty]));
  const table = tableOf(lines, UNIT, { more: ({ name }) => String(name.length) });
  const cells = table.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  expect(cells[0]?.slice(0, 6)).toEqual(['case', 'ops/s', 'ratio', 'spread', 'more', 'api']);
  expect(cells[0]?.slice(6)).toEqual(['postgres', 'all', 'CPU ratio', 'others', 'calm']);
  expect(cells[2]?.slice(0, 9)).toEqual(['bare', '100', '', '', '4', '5000', '2500', '7500', '']);
  expect(cells[3]?.slice(0, 6)).toEqual(['service', '250', '2.50', '2.50–2.50', '7', '2000']);
  expect(cells[3]?.slice(6)).toEqual(['1000', '3000', '2.50', '0%', '1', '3 FAULTS']);
});

it('fails for a fault, and for a missed target when it is strict', () => {
  const reached = targetsOf(linesOf(cases, given([measured(100)], [measured(200)])));
  const missed = targetsOf(linesOf(cases, given([measured(100)], [measured(199)])));
  expect(reached).toEqual([{ name: 'service', figure: 2, least: 2 }]);
  expect(conclude({ targets: reached, faults: [] }, true)).toBe(0);
  expect(conclude({ targets: missed, faults: [] }, false)).toBe(0);
  expect(conclude({ targets: missed, faults: [] }, true)).toBe(1);
  expect(conclude({ targets: missed, faults: [], isBinding: true }, false)).toBe(1);
  expect(conclude({ targets: reached, faults: ['one'] }, false)).toBe(1);
});

it('holds a figure to its least or its most, and no figure to nothing', () => {
  expect(targetText({ name: 'p99', figure: 3.2, most: 3 })).toBe('MISSED   p99: 3.20 (at most 3)');
  expect(targetText({ name: 'rate', figure: 3, least: 3 })).toBe(
    'reached  rate: 3.00 (at least 3)',
  );
  expect(isReached({ name: 'none', figure: Number.NaN, least: 0 })).toBe(false);
});
