//! The columns of short and long tables: their heads, and the cells of a row.
import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly title: string;
  readonly show: (row: Row) => ReactNode;
  /** Figures stand at the end of their column. */
  readonly isEnd?: boolean;
}

interface Props<Row> {
  readonly columns: readonly Column<Row>[];
}

export function TableHead<Row>({ columns }: Props<Row>) {
  return (
    <thead>
      <tr>
        {columns.map(({ title, isEnd }) => (
          <th key={title} scope="col" data-end={isEnd}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

export function Cells<Row>({ columns, row }: Props<Row> & { readonly row: Row }) {
  return columns.map(({ title, show, isEnd }) => (
    <td key={title} data-end={isEnd}>
      {show(row)}
    </td>
  ));
}
