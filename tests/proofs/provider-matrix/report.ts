//! The matrix as a table: one line per operation, one column per fault.
import { tableText } from '../../harness/report.ts';
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
  return `${tableText([['operation', ...COLUMNS], ...rows])}\n${LEGEND}\n`;
}

export function cellText(result: Result): string {
  const { first, final, effects } = result;
  const way = first === final ? first : `${first} > ${final}`;
  return `${way} ${effects}${isAsExpected(result) ? '' : ' WRONG'}`;
}
