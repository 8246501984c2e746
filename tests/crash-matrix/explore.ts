//! Finds the cells: runs each saga without a death, and looks which places it passes.
import { type Chance, chanceOf } from '../harness/chance.ts';
import { answerOf, type Cell, cellsOf, faultyVariants, type Result, type Variant } from './cell.ts';
import type { MatrixOptions, sliceOf } from './options.ts';
import { SAGAS } from './sagas.ts';

/** Runs cells, several at once, and answers in their order. */
export type RunAll = (cells: readonly Cell[]) => Promise<Result[]>;

export interface Explored {
  /** The runs without a death: cells as well. */
  readonly plain: readonly Result[];
  /** All that are to be struck. */
  readonly cells: readonly Cell[];
}

/** Of a sample: so many sagas, and so many answers of each besides done. */
const SAMPLE_SAGAS = 5;
const SAMPLE_ANSWERS = 2;

export async function explore(
  options: MatrixOptions,
  slice: ReturnType<typeof sliceOf>,
  runAll: RunAll,
): Promise<Explored> {
  const { after, cells: wanted } = options;
  const only = options.only.split('/');
  const chance = chanceOf(options.seed, 1);
  const isSample = wanted !== undefined;
  const some = <T>(all: readonly T[], count: number) => sample(chance, all, isSample, count);
  const begun = some(plainVariants(only), SAMPLE_SAGAS);
  const done = await runAll(begun.map(undying));
  const faulty = done.flatMap((result) =>
    some(
      faultyVariants(variantOf(result), result.passed).filter((each) => isMeant(each, only)),
      SAMPLE_ANSWERS,
    ),
  );
  const faulted = await runAll(faulty.map(undying));
  const plain = [...done.filter((each) => isMeant(each, only)), ...faulted];
  const all = plain
    .flatMap((result) => cellsOf(variantOf(result), result.passed))
    .filter(({ place }) => place?.includes(only[3] ?? ''));
  const sliced = all.slice(after).filter((_, at) => at % slice.of === slice.part - 1);
  const cells = isSample ? chance.shuffled(sliced).slice(0, wanted) : sliced;
  return { plain, cells: Array.from({ length: options.times }, () => cells).flat() };
}

function sample<T>(chance: Chance, all: readonly T[], isSample: boolean, count: number): T[] {
  return isSample ? chance.shuffled(all).slice(0, count) : [...all];
}

function plainVariants([saga = '', milestones = '']: readonly string[]): Variant[] {
  return SAGAS.filter(({ name }) => name.includes(saga)).flatMap((row) =>
    row.milestones
      .filter((count) => milestones === '' || milestones === String(count))
      .map((count) => ({ saga: row, milestones: count, fault: null, isUndone: false })),
  );
}

function isMeant(variant: Variant, [, , answer = '']: readonly string[]): boolean {
  const { fault } = variant;
  return `${answerOf(variant)} ${fault?.step ?? ''}`.includes(answer);
}

function variantOf({ saga, milestones, fault, isUndone }: Variant): Variant {
  return { saga, milestones, fault, isUndone };
}

function undying(variant: Variant): Cell {
  return { ...variant, place: null };
}
