//! A table with its filters, which are stored in the address and form the query of its list.
import type { Holdfast, List } from '@holdfast/sdk';
import type { ComponentProps } from 'react';
import { useUrlState } from '#app/go.tsx';
import { DataTable } from '#parts/table/data-table.tsx';
import { type Filter, FilterBar } from '#parts/table/filter-bar.tsx';
import { type FilterQuery, filterQuery } from '#parts/table/filter-query.ts';

type TableProps<Row> = Omit<ComponentProps<typeof DataTable<Row>>, 'queryKey' | 'list'>;

interface Props<Row, Filters extends readonly Filter[]> extends TableProps<Row> {
  /** Names its saved views, and what is kept of it. */
  readonly screen: string;
  /** What it is a part of, such as a webhook endpoint. */
  readonly of?: string | undefined;
  readonly filters: Filters;
  readonly list: (
    holdfast: Holdfast,
    query: FilterQuery<Filters> & { readonly limit: number },
    options: { readonly signal: AbortSignal },
  ) => List<Row>;
}

const PAGE = 100;

export function FilteredTable<Row, const Filters extends readonly Filter[]>(
  props: Props<Row, Filters>,
) {
  const { screen, of, filters, list, ...table } = props;
  const [state] = useUrlState();
  const query = { ...filterQuery(filters, state), limit: PAGE };
  return (
    <>
      <FilterBar screen={screen} filters={filters} />
      <DataTable
        {...table}
        queryKey={[screen, of, query]}
        list={(holdfast, signal) => list(holdfast, query, { signal })}
      />
    </>
  );
}
