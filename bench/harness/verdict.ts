//! The frame of every bench: prints its environment, its figures and the targets it reached;
//! the exit code follows from the targets.
import { availableParallelism, cpus } from 'node:os';
import {
  type Command,
  type Option,
  type OptionsOf,
  runCommand,
} from '../../tests/harness/options.ts';
import { print } from '../../tests/harness/report.ts';
import { endAll } from '../../tests/harness/set.ts';
import { loadText } from './figures.ts';

export interface Target {
  readonly name: string;
  readonly figure: number;
  /** One of the two. */
  readonly least?: number;
  readonly most?: number;
}

export interface Outcome {
  readonly targets: readonly Target[];
  /** Errors, which fail the bench at any speed. */
  readonly faults: readonly string[];
  /** The targets must be reached, with or without --strict. */
  readonly isBinding?: boolean;
}

export async function runBench<Options extends Readonly<Record<string, Option<unknown>>>>(
  command: Command<Options>,
  measure: (options: OptionsOf<Options>) => Promise<Outcome>,
): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, endAll);
  await runCommand(command, async (options) => {
    const machine = `${availableParallelism()} cores, ${cpus()[0]?.model}`;
    print(`${machine}, Node ${process.version}, ${loadText()}`);
    const outcome = await measure(options);
    return conclude(outcome, 'strict' in options && options['strict'] === true);
  });
}

/** A fault fails the bench; a target that was missed does so when it is strict. */
export function conclude(
  { targets, faults, isBinding = false }: Outcome,
  isStrict: boolean,
): number {
  const missed = targets.filter((target) => !isReached(target)).length;
  for (const target of targets) print(targetText(target));
  const reached = targets.length === 0 ? 'nothing here has a target' : 'all targets reached';
  print(`verdict: ${missed === 0 ? reached : `${missed} of ${targets.length} targets MISSED`}`);
  for (const fault of faults) print(`FAULT: ${fault}`);
  return faults.length > 0 || (missed > 0 && (isStrict || isBinding)) ? 1 : 0;
}

export function isReached({ figure, least, most }: Target): boolean {
  return figure >= (least ?? figure) && figure <= (most ?? figure);
}

export function targetText(target: Target): string {
  const { name, figure, least, most } = target;
  const word = isReached(target) ? 'reached' : 'MISSED ';
  const limit = least === undefined ? `at most ${most}` : `at least ${least}`;
  return `${word}  ${name}: ${figure.toFixed(2)} (${limit})`;
}

export function joinOutcomes(outcomes: readonly Outcome[]): Outcome {
  return {
    targets: outcomes.flatMap(({ targets }) => targets),
    faults: outcomes.flatMap(({ faults }) => faults),
  };
}
