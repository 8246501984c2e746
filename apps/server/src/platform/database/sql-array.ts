//! PostgreSQL array literals, for statements that carry many rows.

/**
 * A PostgreSQL array literal of values that need no quotes. Hand-written: the driver's version is
 * slower.
 */
export function plainArray<T>(
  rows: readonly T[],
  cell: (row: T) => string | bigint | number | null,
): string {
  let text = '';
  for (const row of rows) {
    const value = cell(row);
    text += value === null ? ',NULL' : `,${value}`;
  }
  return `{${text.slice(1)}}`;
}

/** The same for text from outside. */
export function quotedArray<T>(rows: readonly T[], cell: (row: T) => string | null): string {
  let text = '';
  for (const row of rows) {
    const value = cell(row);
    text += value === null ? ',NULL' : `,"${value.replace(/["\\]/g, '\\$&')}"`;
  }
  return `{${text.slice(1)}}`;
}

/** The same for rows of a composite type, each given as its fields in their order. */
export function rowArray<T>(rows: readonly T[], fields: (row: T) => string): string {
  let text = '';
  for (const row of rows) text += `,"(${fields(row)})"`;
  return `{${text.slice(1)}}`;
}

/** A field of such a row, of text from outside: quoted for the row, and once more for the array. */
export function quotedField(value: string | null): string {
  return value === null ? '' : `\\"${value.replace(/["\\]/g, String.raw`\\\$&`)}\\"`;
}
