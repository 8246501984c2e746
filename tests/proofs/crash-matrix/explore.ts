//! Finds the cells: runs each saga without a crash, and records the crash points that it passes.
import { randomOf, type SeededRandom } from '../../harness/random.ts';
import {
  type Cell,
  cellsOf,
  faultyVariants,
  isJob,
  isPayment,
  outcomeOf,
  type Result,
  type Variant,
} from './cell.ts';
import type { MatrixOptions, sliceOf } from './options.ts';
import { SAGAS } from './sagas.ts';

/** Runs cells, several at once, and returns the results in their order. */
export type RunAll = (cells: readonly Cell[]) => Promise<Result[]>;

export interface Explored {
  /** The runs without a crash; they are cells as well. */
  readonly plain: readonly Result[];
  /** The cells to run with a crash. */
  readonly cells: readonly Cell[];
}

/** Limits of a sample: the number of sagas, and of replies other than done for each. */
const SAMPLE_SAGAS = 5;
const SAMPLE_PAYMENTS = 2;
const SAMPLE_JOBS = 1;
const SAMPLE_OUTCOMES = 2;

export async function explore(
  options: MatrixOptions,
  slice: ReturnType<typeof sliceOf>,
  runAll: RunAll,
): Promise<Explored> {
  const { after, cells: wanted } = options;
  const only = options.only.split('/');
  const random = randomOf(options.seed, 1);
  const isSample = wanted !== undefined;
  const some = <T>(all: readonly T[], count: number) => sample(random, all, isSample, count);
  const variants = plainVariants(only);
  const sampled = [
    ...some(
      variants.filter((each) => !isPayment(each)),
      SAMPLE_SAGAS,
    ),
    ...some(
      variants.filter((each) => isPayment(each) && !isJob(each)),
      SAMPLE_PAYMENTS,
    ),
    ...some(variants.filter(isJob), SAMPLE_JOBS),
  ];
  const done = await runAll(sampled.map(undying));
  const faulty = done.flatMap((result) =>
    some(
      faultyVariants(variantOf(result), result.passed).filter(
        // A late reply takes longer than a sample may.
        (each) => isSelected(each, only) && !(isSample && each.fault?.kind === 'late'),
      ),
      SAMPLE_OUTCOMES,
    ),
  );
  const faulted = await runAll(faulty.map(undying));
  const plain = [...done.filter((each) => isSelected(each, only)), ...faulted];
  const all = plain
    .flatMap((result) => cellsOf(variantOf(result), result.passed))
    .filter(({ crashPoint }) => crashPoint?.includes(only[3] ?? ''));
  const sliced = all.slice(after).filter((_, at) => at % slice.of === slice.part - 1);
  const cells = isSample ? random.shuffled(sliced).slice(0, wanted) : sliced;
  return { plain, cells: Array.from({ length: options.times }, () => cells).flat() };
}

function sample<T>(random: SeededRandom, all: readonly T[], isSample: boolean, count: number): T[] {
  return isSample ? random.shuffled(all).slice(0, count) : [...all];
}

function plainVariants([saga = '', milestones = '']: readonly string[]): Variant[] {
  return SAGAS.filter(({ name }) => name.includes(saga)).flatMap((row) =>
    row.milestones
      .filter((count) => milestones === '' || milestones === String(count))
      .map((count) => ({ saga: row, milestones: count, fault: null, isUndone: false })),
  );
}

function isSelected(variant: Variant, [, , outcome = '']: readonly string[]): boolean {
  const { fault } = variant;
  return `${outcomeOf(variant)} ${fault?.step ?? ''}`.includes(outcome);
}

function variantOf({ saga, milestones, fault, isUndone }: Variant): Variant {
  return { saga, milestones, fault, isUndone };
}

function undying(variant: Variant): Cell {
  return { ...variant, crashPoint: null };
}
