//! Prints an audit: a line per check, the rows of a broken one, and a summary.
import type { Line } from './audit.ts';
import type { Row } from './invariant.ts';

export function lineText({ id, claim, checked, broken, rows, skipped }: Line): string {
  const state = skipped === undefined ? (broken > 0 ? 'FAILED' : 'passed') : 'skipped';
  const tail =
    skipped ??
    `${checked} row${checked === 1 ? '' : 's'} checked${broken > 0 ? `, ${broken} invalid` : ''}`;
  const named = rows.map((row) => `\n       ${rowText(row)}`);
  return `${id.padEnd(4)} ${state.padEnd(8)} ${claim} (${tail})${named.join('')}`;
}

function rowText(row: Row): string {
  return Object.entries(row)
    .map(([name, value]) => `${name}=${value ?? 'null'}`)
    .join(' ');
}

export function summaryText(lines: readonly Line[], elapsedMs: number): string {
  const broken = lines.filter((line) => line.broken > 0);
  const skipped = lines.filter((line) => line.skipped !== undefined);
  const ok = lines.length - broken.length - skipped.length;
  const ids = [...new Set(broken.map(({ id }) => id))].join(', ');
  return (
    `${broken.length === 0 ? 'PASSED' : `FAILED (${ids})`}: ${ok} checks passed, ${broken.length} failed, ` +
    `${skipped.length} skipped, ${(elapsedMs / 1000).toFixed(1)} s`
  );
}
