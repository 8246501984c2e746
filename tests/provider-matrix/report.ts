//! The matrix as a table: one line per operation, one column per fault.
import { FAULTS, type FaultName, isAsExpected, type Result } from './cell.ts';

const COLUMNS: readonly FaultName[] = [...FAULTS, 'no-contract-id'];
const LEGEND =
  'Each cell: the first call, the last call where it differs, and how often it took effect.';

export function matrixText(results: readonly Result[]): string {
  const names = [...new Set(results.map(({ provider, operation }) => `${provider} ${operation}`))];
  const rows = names.map((name) => [
    name,
    ...COLUMNS.map((fault) => {
      const found = results.find(
        (each) => each.fault === fault && `${each.provider} ${each.operation}` === name,
      );
      return found === undefined ? '' : cellText(found);
    }),
  ]);
  const table = [['operation', ...COLUMNS], ...rows];
  const widths = table[0]?.map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0)));
  const lines = table.map((row) =>
    row.map((text, at) => text.padEnd(widths?.[at] ?? 0)).join(' | '),
  );
  const rule = (widths ?? []).map((width) => '-'.repeat(width)).join('-|-');
  return [...lines.slice(0, 1), rule, ...lines.slice(1), '', LEGEND, ''].join('\n');
}

function cellText(result: Result): string {
  const { first, final, effects } = result;
  const way = first === final ? first : `${first} > ${final}`;
  return `${way} ${effects}${isAsExpected(result) ? '' : ' WRONG'}`;
}
