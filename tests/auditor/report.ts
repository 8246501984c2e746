//! What an audit says: a line per check, the rows behind a broken one, and a last line.
import type { Line } from './audit.ts';
import type { Row } from './invariant.ts';

export function lineText({ id, claim, looked, broken, rows, skipped }: Line): string {
  const state = skipped === undefined ? (broken > 0 ? 'BROKEN' : 'ok') : 'skipped';
  const tail = skipped ?? `${looked} rows${broken > 0 ? `, ${broken} wrong` : ''}`;
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
  const ids = [...new Set(broken.map(({ id }) => id))].join(' ');
  return (
    `${broken.length === 0 ? 'CLEAN' : `BROKEN ${ids}`}: ${ok} checks ok, ${broken.length} broken, ` +
    `${skipped.length} skipped, ${(elapsedMs / 1000).toFixed(1)} s`
  );
}
