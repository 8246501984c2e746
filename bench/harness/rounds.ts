//! Rounds, each measuring every case once, so that a ratio compares figures of the same minutes.
import { print, tableText } from '../../tests/harness/report.ts';
import { medianOf, percentText, rateText, type Spread, spreadOf } from './figures.ts';
import { describeUsage, type Usage } from './usage.ts';
import type { Target } from './verdict.ts';

/** More than this share of the machine at other work, and a figure says little. */
const DISTURBED_SHARE = 0.2;

export interface Measured {
  readonly perSecond: number;
  readonly usage: Usage;
  /** The processes whose CPU counts, by the names of the usage; all by default. */
  readonly payers?: readonly string[];
  readonly faults: number;
  readonly firstFault?: string | undefined;
}

export interface Case<M extends Measured> {
  readonly name: string;
  /** The case whose figure of the same round this one is divided by. */
  readonly baseline?: string;
  /** The target of the ratio. */
  readonly target?: number | undefined;
  readonly run: () => Promise<M>;
}

export type Rounds<M extends Measured> = ReadonlyMap<string, M[]>;

export interface Line<M extends Measured> {
  readonly name: string;
  /** Of the rounds that count. */
  readonly measures: readonly M[];
  /** How many of the rounds were undisturbed. */
  readonly quiet: number;
  readonly perSecond: Spread;
  readonly ratio: Spread | undefined;
  /** The CPU of the baseline's operation, as a multiple of this one's. */
  readonly cpuRatio: Spread | undefined;
  readonly target: number | undefined;
  readonly othersShare: number;
  readonly faults: number;
}

/** The name of an operation, and the unit of its CPU. */
export interface Unit {
  readonly many: string;
  readonly cpu: 'µs' | 'ms';
}

/** A run that others disturbed is repeated as often as wanted; the calmest one counts. */
export async function runRounds<M extends Measured>(
  cases: readonly Case<M>[],
  { rounds, repeats = 0, unit }: { rounds: number; repeats?: number; unit: Unit },
): Promise<Rounds<M>> {
  const measured = new Map(cases.map(({ name }): [string, M[]] => [name, []]));
  const width = Math.max(...cases.map(({ name }) => name.length));
  for (let round = 1; round <= rounds; round += 1) {
    // Every other round runs backward, so that what grows or drifts favours no side.
    for (const { name, run } of round % 2 === 1 ? cases : cases.toReversed()) {
      const measure = await runCalmly(run, repeats);
      measured.get(name)?.push(measure);
      print(measureText(`round ${round}  ${name.padEnd(width)}`, measure, unit));
    }
  }
  return measured;
}

async function runCalmly<M extends Measured>(run: () => Promise<M>, repeats: number): Promise<M> {
  let calmest = await run();
  for (let again = 0; again < repeats && !isQuiet(calmest); again += 1) {
    const next = await run();
    const [better, worse] =
      next.usage.othersShare < calmest.usage.othersShare ? [next, calmest] : [calmest, next];
    const firstFault = calmest.firstFault ?? next.firstFault;
    calmest = { ...better, faults: better.faults + worse.faults, firstFault };
  }
  return calmest;
}

export function measureText(name: string, measure: Measured, { many }: Unit): string {
  const { perSecond, usage, faults, firstFault } = measure;
  const fault = faults === 0 ? '' : `  ${faults} FAULTS: ${firstFault}`;
  return `${name}  ${rateText(perSecond).padStart(9)} ${many}/s  (${describeUsage(usage)})${fault}`;
}

function isQuiet({ usage }: Measured): boolean {
  return usage.othersShare <= DISTURBED_SHARE;
}

/** CPU of one operation in microseconds, of one payer or of all. */
export function cpuUsOf(measure: Measured, name?: string): number {
  const { perSecond, usage, payers = Object.keys(usage.cores) } = measure;
  const names = name === undefined ? payers : payers.filter((payer) => payer === name);
  const cores = names.reduce((sum, each) => sum + (usage.cores[each] ?? 0), 0);
  return perSecond > 0 ? (1e6 * cores) / perSecond : 0;
}

/** Rounds in which neither a case nor its baseline was disturbed; all where there is none. */
export function linesOf<M extends Measured>(
  cases: readonly Case<M>[],
  rounds: Rounds<M>,
): Line<M>[] {
  return cases.map(({ name, baseline, target }) => {
    const bases = baseline === undefined ? undefined : rounds.get(baseline);
    const all = (rounds.get(name) ?? []).map((measure, at) => ({ measure, base: bases?.[at] }));
    const quiet = all.filter(({ measure, base }) => isQuiet(measure) && (!base || isQuiet(base)));
    const counted = quiet.length > 0 ? quiet : all;
    const measures = counted.map(({ measure }) => measure);
    const ratioBy = (of: (measure: M, base: M) => number) =>
      bases && spreadOf(counted.flatMap(({ measure, base }) => (base ? [of(measure, base)] : [])));
    return {
      name,
      measures,
      quiet: quiet.length,
      perSecond: spreadOf(measures.map(({ perSecond }) => perSecond)),
      ratio: ratioBy((measure, base) => measure.perSecond / base.perSecond),
      cpuRatio: ratioBy((measure, base) => cpuUsOf(base) / cpuUsOf(measure)),
      target,
      othersShare: medianOf(measures.map(({ usage }) => usage.othersShare)),
      faults: all.reduce((sum, { measure }) => sum + measure.faults, 0),
    };
  });
}

export function targetsOf<M extends Measured>(lines: readonly Line<M>[]): Target[] {
  return lines.flatMap(({ name, ratio, target }) =>
    ratio === undefined || target === undefined
      ? []
      : [{ name, figure: ratio.median, least: target }],
  );
}

/** `more`: columns that only this bench has. */
export function tableOf<M extends Measured>(
  lines: readonly Line<M>[],
  { many, cpu }: Unit,
  more: Readonly<Record<string, (line: Line<M>) => string>> = {},
): string {
  const payers = new Set(lines.flatMap(({ measures }) => measures.flatMap(namesOf)));
  const cpuText = (line: Line<M>, name?: string) => {
    const us = medianOf(line.measures.map((measure) => cpuUsOf(measure, name)));
    return cpu === 'µs' ? us.toFixed(0) : (us / 1000).toFixed(1);
  };
  const head = [
    ...['case', `${many}/s`, 'ratio', 'spread', ...Object.keys(more), ...payers],
    ...['all', 'CPU ratio', 'others', 'calm'],
  ];
  const rows = lines.map((line) => [
    line.name,
    rateText(line.perSecond.median),
    line.ratio?.median.toFixed(2) ?? '',
    line.ratio === undefined ? '' : `${line.ratio.low.toFixed(2)}–${line.ratio.high.toFixed(2)}`,
    ...Object.values(more).map((cell) => cell(line)),
    ...[...payers].map((name) => cpuText(line, name).replace(/^0(\.0)?$/, '')),
    cpuText(line),
    line.cpuRatio?.median.toFixed(2) ?? '',
    percentText(line.othersShare),
    line.quiet === 0 ? 'NONE' : String(line.quiet),
    ...(line.faults === 0 ? [] : [`${line.faults} FAULTS`]),
  ]);
  const note =
    `ratio: median over rounds of ${many}/s to the baseline of the same round; ` +
    `${[...payers].join(', ')}: CPU in ${cpu} per operation;\n` +
    'CPU ratio: CPU per operation of the baseline to that of this case, in the same rounds; others: share of ' +
    'the machine that other processes used;\ncalm: rounds that others did not disturb, which count; ' +
    'NONE: all rounds were disturbed; they count, and say little';
  return `${tableText([head, ...rows])}${note}`;
}

function namesOf({ usage, payers = Object.keys(usage.cores) }: Measured): readonly string[] {
  return payers;
}
