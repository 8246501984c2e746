//! A table of a few rows, all rendered. Lists that can grow long use a data table.
import type { ReactNode } from 'react';
import { Cells, type Column, TableHead } from '#parts/table/table-columns.tsx';

/** A row that is no item: its name, and the figure in the last column. */
type Sum = readonly [name: string, figure: ReactNode];

interface Props<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  /** On a narrower page it scrolls sideways. */
  readonly minWidth?: number;
  /** Where it stands by itself, in no panel. */
  readonly isFramed?: boolean;
  readonly first?: Sum;
  readonly last?: Sum;
}

export function ShortTable<Row>(props: Props<Row>) {
  const { label, columns, rows, idOf, minWidth, isFramed = false, first, last } = props;
  return (
    <section
      className={isFramed ? 'hf-scroll hf-frame' : 'hf-scroll'}
      aria-label={label}
      // What scrolls must be reached by keys; what does not would only be in their way.
      tabIndex={minWidth === undefined ? undefined : 0}
    >
      <table className="hf-table hf-short" style={{ minWidth }}>
        <TableHead columns={columns} />
        <tbody>
          {first && <SumRow sum={first} span={columns.length - 1} />}
          {rows.map((row) => (
            <tr key={idOf(row)}>
              <Cells columns={columns} row={row} />
            </tr>
          ))}
          {last && <SumRow sum={last} span={columns.length - 1} />}
        </tbody>
      </table>
    </section>
  );
}

function SumRow({ sum: [name, figure], span }: { readonly sum: Sum; readonly span: number }) {
  return (
    <tr>
      <th scope="row" colSpan={span}>
        {name}
      </th>
      <td data-end>{figure}</td>
    </tr>
  );
}
