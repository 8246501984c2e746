//! Rows as a table for people, or as CSV for other programs.
import { type Style, widthOf } from './style.ts';

export interface Column<T> {
  readonly head: string;
  /** Plain text: it goes into CSV as it is. */
  readonly of: (row: T) => string | null | undefined;
  readonly paint?: (style: Style, text: string) => string;
  /** Numbers stand on the right. */
  readonly isRight?: boolean;
}

const GAP = '  ';

export function tableLines<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  style: Style,
): string[] {
  const texts = rows.map((row) => columns.map((column) => column.of(row) ?? '–'));
  const widths = columns.map(({ head }, at) =>
    Math.max(head.length, ...texts.map((cells) => widthOf(cells[at] ?? ''))),
  );
  const lineOf = (cells: readonly string[], paint: (text: string, at: number) => string) =>
    cells
      .map((text, at) => {
        const space = ' '.repeat((widths[at] ?? 0) - widthOf(text));
        const painted = paint(text, at);
        return columns[at]?.isRight ? `${space}${painted}` : `${painted}${space}`;
      })
      .join(GAP)
      .trimEnd();
  return [
    lineOf(
      columns.map(({ head }) => head),
      (text) => style.dim(text),
    ),
    ...texts.map((cells) => lineOf(cells, (text, at) => columns[at]?.paint?.(style, text) ?? text)),
  ];
}

/** RFC 4180, and no cell that a spreadsheet would take for a formula. */
export function csvLines<T>(rows: readonly T[], columns: readonly Column<T>[]): string[] {
  return [
    columns.map(({ head }) => csvCell(head)).join(','),
    ...rows.map((row) => columns.map((column) => csvCell(column.of(row) ?? '')).join(',')),
  ];
}

function csvCell(text: string): string {
  const isFormula = /^[=+@\t\r]|^-(?!\d)/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A name and its value; one without a value is not shown. */
export type Field = readonly [name: string, value: string | null | undefined];

/** Names on the left, values on the right; what is null is left out. */
export function fieldLines(fields: readonly Field[], style: Style): string[] {
  const shown = fields.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `  ${style.dim(name.padEnd(width))}  ${value}`);
}
