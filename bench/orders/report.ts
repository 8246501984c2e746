//! The rounds as two tables, and whether the aim is reached.

import { medianOf, percentilesOf } from '../events/figures.ts';
import { describeUsage } from '../events/usage.ts';
import { layOut } from '../table.ts';
import { STEPS, type StepName } from './life.ts';
import type { Measure } from './measure.ts';

/** Of the rate of the same steps called in place, at least so much is left through the API. */
export const AIM = 0.5;

/** Both sides, one after the other. */
export interface Round {
  readonly http: Measure;
  readonly inPlace: Measure;
}

export function measureText(name: string, measure: Measure): string {
  const { livesPerSecond, usage, commitsPerLife, faults } = measure;
  const rate = `${livesPerSecond.toFixed(1).padStart(6)} lives/s`;
  const fault = faults.length === 0 ? '' : `  ${faults.length} FAULTS: ${faults[0]}`;
  return `${name.padEnd(29)} ${rate}, ${commitsPerLife.toFixed(0)} commits each; ${describeUsage(usage)}${fault}`;
}

/** More than this share of the machine at other work, and a round says little. */
const DISTURBED_SHARE = 0.2;

/** Those that nobody disturbed, whatever their figures; all of them where there is none. */
export function calmOf(rounds: readonly Round[]): readonly Round[] {
  const calm = rounds.filter(isCalm);
  return calm.length > 0 ? calm : rounds;
}

export function calmText(rounds: readonly Round[]): string {
  const calm = rounds.filter(isCalm).length;
  return calm > 0
    ? `${calm} of ${rounds.length} rounds were calm and count`
    : 'others disturbed EVERY round: the figures say little';
}

function isCalm({ http, inPlace }: Round): boolean {
  return Math.max(http.usage.othersShare, inPlace.usage.othersShare) <= DISTURBED_SHARE;
}

export function ratioOf(rounds: readonly Round[]): number {
  return medianOf(rounds.map(ratio));
}

export function stepsTable(rounds: readonly Round[]): string {
  const rows = STEPS.flatMap((step) => {
    const http = timesOf(rounds, 'http', step);
    const inPlace = timesOf(rounds, 'inPlace', step);
    if (http.length === 0) return [];
    return [[step, ...spread(http), ...spread(inPlace)]];
  });
  const head = ['ms', 'API p50', 'API p99', 'in place p50', 'in place p99'];
  return layOut([head, ...rows]);
}

/** Milliseconds of processor that a life takes, by who spends them. */
export function costTable(rounds: readonly Round[]): string {
  const names = Object.keys(rounds[0]?.http.usage.cores ?? {});
  const cost = (side: keyof Round, name: string) =>
    medianOf(rounds.map((round) => cpuMs(round[side], name)));
  const row = (side: keyof Round, title: string) => {
    const costs = names.map((name) => cost(side, name));
    const sum = costs.reduce((total, ms) => total + ms, 0);
    return [title, ...costs.map((ms) => ms.toFixed(1)), sum.toFixed(1)];
  };
  const head = ['CPU ms per life', ...names, 'all'];
  return layOut([head, row('http', 'HTTP API'), row('inPlace', 'in place')]);
}

export function summaryText(rounds: readonly Round[]): string {
  const rate = (side: keyof Round) =>
    medianOf(rounds.map((round) => round[side].livesPerSecond)).toFixed(1);
  const ratios = rounds.map(ratio);
  const from = Math.min(...ratios).toFixed(2);
  const to = Math.max(...ratios).toFixed(2);
  const verdict = ratioOf(rounds) >= AIM ? 'reached' : 'MISSED';
  return (
    `HTTP API ${rate('http')} lives/s, in place ${rate('inPlace')} lives/s, ` +
    `ratio ${ratioOf(rounds).toFixed(2)} (${from}–${to} over ${rounds.length} rounds), ` +
    `aim ${AIM}: ${verdict}`
  );
}

function ratio({ http, inPlace }: Round): number {
  return http.livesPerSecond / inPlace.livesPerSecond;
}

function cpuMs({ usage, livesPerSecond }: Measure, name: string): number {
  return (1000 * (usage.cores[name] ?? 0)) / livesPerSecond;
}

function timesOf(rounds: readonly Round[], side: keyof Round, step: StepName): number[] {
  return rounds.flatMap((round) => [...(round[side].times.get(step) ?? [])]);
}

function spread(times: readonly number[]): string[] {
  const { p50, p99 } = percentilesOf(Float64Array.from(times));
  return [p50.toFixed(1), p99.toFixed(1)];
}
