//! The way to the next page of a list that is no table.
import { Button } from '@mantine/core';
import type { useRows } from '#parts/use-rows.ts';

type Reading = ReturnType<typeof useRows>['query'];

interface Props {
  readonly of: Pick<Reading, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
}

export function ShowMore({ of: { hasNextPage, isFetchingNextPage, fetchNextPage } }: Props) {
  if (!hasNextPage) return null;
  return (
    <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      Show more
    </Button>
  );
}
