//! The measured cases: each pairs the service with its own baseline.
import type { Case } from '../harness/rounds.ts';
import { type Bench, type Measure, measurePgbench, measureService } from './measure.ts';
import type { BooksOptions, Operation, Spread } from './options.ts';
import type { Seeded } from './seed.ts';

/** The target of the service, as a ratio to its baseline, by connections. */
const TARGETS: ReadonlyMap<number, number> = new Map([
  [64, 1.2],
  [256, 2.0],
]);

/** Every kind at once: what only the exact path can decide (a release) rides with the others. */
const MIXED = ['credit', 'credit', 'credit', 'reserve', 'reserve', 'release', 'debit'];

const CALLS: Record<Operation, string> = {
  credit: 'bench.credit(:account, :marketplace, :house, :actor, :prefix)',
  reserve: 'bench.reserve(:account, :marketplace, :actor, :prefix)',
};
const BOOKS_ONLY = 'bench.books_only(:account, :marketplace, :house, :actor)';
const POST_ONE = (operation: Operation) =>
  `bench.post_one('${operation}', :account, :marketplace, :house, :actor, :prefix)`;

/** Those of one round. A baseline stands beside what it is for: they see the same minutes. */
export function casesOf(bench: Bench, seeded: Seeded, options: BooksOptions): Case<Measure>[] {
  const sql = (call: string, spread: Spread) => () =>
    measurePgbench(bench, `${pickAccount(spread)}\nselect ${call};\n`, seeded.variables);
  const http = (operations: readonly string[], spread: Spread, connections: number) => () => {
    const userIds = spread === 'hot' ? [seeded.hotUserId] : seeded.userIds;
    return measureService(bench, { operations, userIds, connections });
  };
  const compared = (operation: Operation, spread: Spread): Case<Measure>[] => {
    const name = `${operation} ${spread}`;
    const baseline = `${name}: bare pgbench`;
    return [
      { name: baseline, run: sql(CALLS[operation], spread) },
      ...options.connections.map((connections) => ({
        name: `${name}: HTTP ${connections}`,
        baseline,
        target: TARGETS.get(connections),
        run: http([operation], spread, connections),
      })),
    ];
  };
  /** The server's own path for one request, and what else the figures are easier read beside. */
  const informing = (operation: Operation): Case<Measure>[] => {
    const baseline = `${operation} uniform: bare pgbench`;
    const path = {
      name: `${operation} uniform: pgbench post_batch of one`,
      run: sql(POST_ONE(operation), 'uniform'),
    };
    const books = { name: 'credit uniform: pgbench books only', run: sql(BOOKS_ONLY, 'uniform') };
    const mixed = { name: 'mixed uniform: HTTP 256', run: http(MIXED, 'uniform', 256) };
    const cases = operation === 'credit' ? [path, books, mixed] : [path];
    return cases.map((each) => ({ ...each, baseline }));
  };
  return options.operations.flatMap((operation) =>
    options.spreads.flatMap((spread) => [
      ...compared(operation, spread),
      ...(spread === 'uniform' ? informing(operation) : []),
    ]),
  );
}

function pickAccount(spread: Spread): string {
  return spread === 'hot' ? '\\set account :hot' : '\\set account random(:low, :high)';
}
