//! Stops follow from the seed; each kind has its turn, and no marketplace is stopped for long.
import { expect, it } from 'vitest';
import { randomOf } from '../../harness/random.ts';
import { planStops, STOP_KINDS } from './plan-stops.ts';

const planOf = (at: number, seed: number, isQuick = false) => {
  const { firstMs, next } = planStops(at, isQuick, randomOf(seed, at));
  const stops = Array.from({ length: 60 }, () => next()).filter((stop) => stop !== undefined);
  return { firstMs, stops };
};
const kindsOf = (at: number, isQuick = false) =>
  planOf(at, 3, isQuick).stops.map(({ kind }) => kind);

it('plans the same stops for the same seed, and others for another', () => {
  expect(planOf(1, 5)).toEqual(planOf(1, 5));
  expect(planOf(1, 5)).not.toEqual(planOf(1, 6));
});

it('gives every level its turn in each marketplace, and pauses all payouts in one', () => {
  expect(kindsOf(0).slice(0, 5)).toEqual(['PAUSE', 'PAYOUTS', 'MONEY', 'SIGNING', 'PAUSE']);
  for (const at of [1, 2, 3, 9]) {
    const kinds = kindsOf(at);
    expect(new Set(kinds.slice(0, 3))).toEqual(new Set(['PAYOUTS', 'MONEY', 'SIGNING']));
    expect(kinds).not.toContain('PAUSE');
  }
});

it('has every kind in a quick run, which stops each of its five marketplaces once', () => {
  const stops = [0, 1, 2, 3, 4].map((at) => kindsOf(at, true));
  expect(stops.map(({ length }) => length)).toEqual([1, 1, 1, 1, 1]);
  expect(new Set(stops.flat())).toEqual(new Set(STOP_KINDS));
});

it.each([
  { isQuick: false, leastMs: 1000, mostMs: 4000 },
  { isQuick: true, leastMs: 200, mostMs: 600 },
])('stops for a seventh of the time at most: %j', ({ isQuick, leastMs, mostMs }) => {
  for (const { standsMs, restFactor } of planOf(2, 8, isQuick).stops) {
    expect(standsMs).toBeGreaterThanOrEqual(leastMs);
    expect(standsMs).toBeLessThan(mostMs);
    expect(1 / (1 + restFactor)).toBeLessThanOrEqual(1 / 7);
  }
});
