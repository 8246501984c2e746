//! Turns the rounds into a table, a verdict and, when asked, a file.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import type { Slot } from './cases.ts';
import type { Measure } from './measure.ts';
import type { BenchOptions } from './options.ts';
import { layOut } from './table.ts';

/** What the service must reach, as a ratio to its baseline, by connections. */
const TARGETS: ReadonlyMap<number, number> = new Map([
  [64, 1.2],
  [256, 2.0],
]);

export type Rounds = Map<string, Measure[]>;

interface Line {
  name: string;
  connections: number | null;
  opsPerSecond: Spread;
  ratio: Spread | null;
  p50Ms: number;
  p99Ms: number | null;
  cpuUsPerOp: Measure['cpuUsPerOp'];
  /** How many times the CPU of an operation here the baseline's takes, the load generators' too. */
  cpuRatio: Spread | null;
  othersShare: number;
  faults: number;
}

interface Spread {
  median: number;
  low: number;
  high: number;
}

export function linesOf(slots: readonly Slot[], rounds: Rounds): Line[] {
  return slots.map((slot) => {
    const measures = rounds.get(slot.name) ?? [];
    const base = slot.baseline === undefined ? undefined : rounds.get(slot.baseline);
    const ratios = measures.map((m, at) => m.opsPerSecond / (base?.[at]?.opsPerSecond ?? 0));
    const cpuRatios = measures.map((m, at) => cpuOf(base?.[at]) / cpuOf(m));
    const middle = (of: (m: Measure) => number) => spreadOf(measures.map(of)).median;
    return {
      name: slot.name,
      connections: slot.connections ?? null,
      opsPerSecond: spreadOf(measures.map((m) => m.opsPerSecond)),
      ratio: base === undefined ? null : spreadOf(ratios),
      p50Ms: middle((m) => m.p50Ms),
      p99Ms: measures[0]?.p99Ms === undefined ? null : middle((m) => m.p99Ms ?? 0),
      cpuUsPerOp: {
        api: middle((m) => m.cpuUsPerOp.api),
        postgres: middle((m) => m.cpuUsPerOp.postgres),
        load: middle((m) => m.cpuUsPerOp.load),
      },
      cpuRatio: base === undefined ? null : spreadOf(cpuRatios),
      othersShare: middle((m) => m.othersShare),
      faults: measures.reduce((sum, m) => sum + m.faults, 0),
    };
  });
}

export function tableOf(lines: readonly Line[]): string {
  const head = [
    ...['case', 'ops/s', 'ratio', 'spread', 'p50 ms', 'p99 ms'],
    ...['api', 'postgres', 'load', 'CPU ratio', 'others'],
  ];
  const rows = lines.map((line) => [
    line.name,
    line.opsPerSecond.median.toFixed(0),
    line.ratio?.median.toFixed(2) ?? '',
    line.ratio === null ? '' : `${line.ratio.low.toFixed(2)}–${line.ratio.high.toFixed(2)}`,
    `${line.p50Ms.toFixed(1)}${line.p99Ms === null ? ' mean' : ''}`,
    line.p99Ms?.toFixed(1) ?? '',
    line.cpuUsPerOp.api === 0 ? '' : line.cpuUsPerOp.api.toFixed(0),
    line.cpuUsPerOp.postgres.toFixed(0),
    line.cpuUsPerOp.load.toFixed(0),
    line.cpuRatio?.median.toFixed(2) ?? '',
    `${(100 * line.othersShare).toFixed(0)}%`,
    line.faults === 0 ? '' : `${line.faults} FAULTS`,
  ]);
  const note =
    'ratio: median over rounds of ops/s to the baseline of the same round; ' +
    'api, postgres, load: CPU in µs per operation;\n' +
    "CPU ratio: the baseline's CPU per operation to this one's, by the same rounds; " +
    'others: share of the machine that neither side used';
  return `${layOut([head, ...rows])}\n${note}\n`;
}

/** True when every case that has a target reached it. */
export function verdictOf(lines: readonly Line[]): { isReached: boolean; text: string } {
  const parts = lines.flatMap((line) => {
    const target = TARGETS.get(line.connections ?? 0);
    if (target === undefined || line.ratio === null) return [];
    const isReached = line.ratio.median >= target;
    const word = isReached ? 'reached' : 'MISSED';
    const figures = `${line.ratio.median.toFixed(2)} of ${target.toFixed(1)}`;
    const text = `${word}  ${line.name}: ${figures}`;
    return [{ isReached, text }];
  });
  const missed = parts.filter((part) => !part.isReached).length;
  const summary =
    missed === 0
      ? `verdict: all ${parts.length} targets reached`
      : `verdict: ${missed} of ${parts.length} targets MISSED`;
  return {
    isReached: missed === 0,
    text: `${[...parts.map((part) => part.text), summary].join('\n')}\n`,
  };
}

export function save(
  lines: readonly Line[],
  rounds: Rounds,
  context: { options: BenchOptions; postgres: string; audit: string },
): string {
  const folder = join(import.meta.dirname, 'results');
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  const path = join(folder, `books-${at.slice(0, 19).replaceAll(/[:T]/g, '-')}.json`);
  const machine = { cpu: os.cpus()[0]?.model, cores: os.cpus().length, node: process.version };
  const report = { at, commit: commit(), machine, ...context, lines, rounds: [...rounds] };
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`);
  return path;
}

function cpuOf(measure: Measure | undefined): number {
  const { api, postgres, load } = measure?.cpuUsPerOp ?? { api: 0, postgres: 0, load: 0 };
  return api + postgres + load;
}

function commit(): string {
  const cwd = import.meta.dirname;
  const { stdout } = spawnSync('git', ['describe', '--always', '--dirty'], {
    cwd,
    encoding: 'utf8',
  });
  return stdout.trim();
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const median = ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
  return { median, low: sorted[0] ?? 0, high: sorted.at(-1) ?? 0 };
}
