//! The button for the next page of a list that is no table.
import { Button } from '@mantine/core';
import { ErrorAlert } from '#parts/error-alert.tsx';
import type { useRows } from '#parts/table/use-rows.ts';

type Reading = ReturnType<typeof useRows>['query'];

interface Props {
  readonly of: Pick<
    Reading,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage' | 'error'
  >;
}

export function ShowMore({ of: query }: Props) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  if (!hasNextPage) return null;
  if (query.isFetchNextPageError)
    return <ErrorAlert error={query.error} retry={() => void fetchNextPage()} />;
  return (
    <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      Show more
    </Button>
  );
}
