//! The type of a row that a statement returns: columns of a table, as PostgreSQL has them.
import type { Tables } from './generated/tables.ts';

/**
 * The columns of `Table` that a statement selects. `Narrowed` says what a column holds where the
 * database knows only its type: which ids a text is, the shape of a document. Null is left to the
 * table. Rows of a join are an intersection of these.
 */
export type Row<
  Table extends keyof Tables,
  Column extends keyof Tables[Table],
  Narrowed extends {
    [Name in keyof Narrowed]: Name extends Column ? NonNullable<Tables[Table][Name]> : never;
  } = Record<never, never>,
> = {
  [Name in Column]: Name extends keyof Narrowed
    ? Narrowed[Name] | Extract<Tables[Table][Name], null>
    : Tables[Table][Name];
};
