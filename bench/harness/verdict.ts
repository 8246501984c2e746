//! Targets and faults: what a bench says at its end, and its exit code.
import { say } from '../../tests/harness/report.ts';

export interface Target {
  readonly name: string;
  readonly figure: number;
  /** One of the two. */
  readonly least?: number;
  readonly most?: number;
}

export interface Outcome {
  readonly targets: readonly Target[];
  /** What is wrong, however fast it is. */
  readonly faults: readonly string[];
}

/** A fault fails the bench; a target that was missed does so when it is strict. */
export function conclude({ targets, faults }: Outcome, isStrict: boolean): number {
  const missed = targets.filter((target) => !isReached(target)).length;
  for (const target of targets) say(targetText(target));
  say(
    missed === 0
      ? `verdict: all ${targets.length} targets reached`
      : `verdict: ${missed} of ${targets.length} targets MISSED`,
  );
  for (const fault of faults) say(`FAULT: ${fault}`);
  return faults.length > 0 || (missed > 0 && isStrict) ? 1 : 0;
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

export function join(outcomes: readonly Outcome[]): Outcome {
  return {
    targets: outcomes.flatMap(({ targets }) => targets),
    faults: outcomes.flatMap(({ faults }) => faults),
  };
}
