//! What is measured: each case pairs the service with its own baseline.
import { type Bench, type Measure, measurePgbench, measureService } from './measure.ts';
import type { BenchOptions, Operation, Spread } from './options.ts';
import type { Seeded } from './seed.ts';

export interface Slot {
  name: string;
  /** The slot whose figure of the same round this one is divided by. */
  baseline?: string;
  connections?: number;
  run: () => Promise<Measure>;
}

const calls: Record<Operation, string> = {
  credit: 'bench.credit(:account, :marketplace, :house, :actor, :prefix)',
  reserve: 'bench.reserve(:account, :marketplace, :actor, :prefix)',
};

/** The slots of one round. Each case stands together, so that its parts see the same minutes. */
export function slotsOf(bench: Bench, seeded: Seeded, options: BenchOptions): Slot[] {
  const slots: Slot[] = [];
  for (const operation of options.operations) {
    for (const spread of options.spreads) {
      slots.push(...caseSlots(bench, seeded, { operation, spread, on: options.connections }));
      if (!options.isInformed || spread !== 'uniform') continue;
      slots.push(postOneSlot(bench, seeded, operation));
      if (operation === 'credit')
        slots.push(booksOnlySlot(bench, seeded), mixedSlot(bench, seeded));
    }
  }
  return slots;
}

function caseSlots(
  bench: Bench,
  seeded: Seeded,
  { operation, spread, on }: { operation: Operation; spread: Spread; on: number[] },
): Slot[] {
  const baseline = `${operation} ${spread}: bare pgbench`;
  const userIds = spread === 'hot' ? [seeded.hotUserId] : seeded.userIds;
  const script = `${pickAccount(spread)}\nselect ${calls[operation]};\n`;
  return [
    { name: baseline, run: () => measurePgbench(bench, script, seeded.variables) },
    ...on.map((connections) => ({
      name: `${operation} ${spread}: HTTP ${connections}`,
      baseline,
      connections,
      run: () => measureService(bench, { operations: [operation], userIds, connections }),
    })),
  ];
}

function postOneSlot(bench: Bench, seeded: Seeded, operation: Operation): Slot {
  const call = `bench.post_one('${operation}', :account, :marketplace, :house, :actor, :prefix)`;
  return {
    name: `${operation} uniform: pgbench post_one`,
    baseline: `${operation} uniform: bare pgbench`,
    run: () =>
      measurePgbench(bench, `${pickAccount('uniform')}\nselect ${call};\n`, seeded.variables),
  };
}

function booksOnlySlot(bench: Bench, seeded: Seeded): Slot {
  const call = 'bench.books_only(:account, :marketplace, :house, :actor)';
  return {
    name: 'credit uniform: pgbench books only',
    baseline: 'credit uniform: bare pgbench',
    run: () =>
      measurePgbench(bench, `${pickAccount('uniform')}\nselect ${call};\n`, seeded.variables),
  };
}

/** Every kind at once: what only the exact path can decide (a release) rides with the others. */
function mixedSlot(bench: Bench, seeded: Seeded): Slot {
  const operations = ['credit', 'credit', 'credit', 'reserve', 'reserve', 'release', 'debit'];
  const { userIds } = seeded;
  return {
    name: 'mixed uniform: HTTP 256',
    baseline: 'credit uniform: bare pgbench',
    run: () => measureService(bench, { operations, userIds, connections: 256 }),
  };
}

function pickAccount(spread: Spread): string {
  return spread === 'hot' ? '\\set account :hot' : '\\set account random(:low, :high)';
}
