//! Checks of stops: finds a kind that is missing, a stop that did not settle, and a run without a
//! refusal.
import { expect, it } from 'vitest';
import { ENOUGH_FOR_KINDS, ENOUGH_FOR_REFUSALS, stopRefusals, wrongStops } from './check-stops.ts';
import { STOP_KINDS } from './plan-stops.ts';
import type { StopRecord } from './run-stops.ts';

const all: StopRecord[] = STOP_KINDS.map((kind) => ({
  ...{ kind, marketplaceId: 'mkt_1', settledMs: 30, stoodMs: 2000 },
}));
const refusals = new Map([
  ['503 MARKETPLACE_FROZEN', 3],
  ['503 PAYOUTS_PAUSED', 2],
  ['503 ENGINE_UNAVAILABLE', 9],
]);
const wrongOf = (stops: StopRecord[], worked: number) => wrongStops([{ stops, worked }], refusals);

it('accepts a run with one settled stop of each kind', () => {
  expect(wrongOf(all, ENOUGH_FOR_REFUSALS)).toEqual([]);
});

it.each(STOP_KINDS)('reports a part without %s, if it was long enough', (kind) => {
  const stops = all.filter((stop) => stop.kind !== kind);
  const fault = `no stop ${kind} was set and settled`;
  expect(wrongOf(stops, ENOUGH_FOR_KINDS - 1)).toEqual([]);
  expect(wrongOf(stops, ENOUGH_FOR_KINDS)).toEqual([fault]);
  const worked = ENOUGH_FOR_KINDS;
  expect(
    wrongStops(
      [
        { stops: all, worked },
        { stops, worked },
      ],
      refusals,
    ),
  ).toEqual([fault]);
});

it('reports a stop that did not settle in any run', () => {
  const unsettled = all.map((stop) =>
    stop.kind === 'MONEY' ? { ...stop, settledMs: undefined } : stop,
  );
  const fault = 'a stop MONEY of mkt_1 did not settle';
  expect(wrongOf(unsettled, 1)).toEqual([fault]);
  expect(wrongOf(unsettled, ENOUGH_FOR_KINDS)).toEqual([
    fault,
    'no stop MONEY was set and settled',
  ]);
});

it('counts the refusals of stops only, and reports a run without any', () => {
  expect(stopRefusals(refusals)).toBe(5);
  const others = new Map([['503 ENGINE_UNAVAILABLE', 9]]);
  const part = { stops: all, worked: ENOUGH_FOR_REFUSALS / 2 };
  expect(wrongStops([part], others)).toEqual([]);
  expect(wrongStops([part, part], others)).toEqual(['no call was refused because of a stop']);
});
