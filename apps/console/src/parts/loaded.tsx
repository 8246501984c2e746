//! Shows a query: a loading state, an error, or its data.
import { isHoldfastError } from '@holdfast/sdk';
import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorAlert } from '#parts/error-alert.tsx';
import { NotHere } from '#parts/not-here.tsx';

const NOT_FOUND = 404;

interface Reading<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

interface Props<T> {
  readonly of: Reading<T>;
  readonly children: (data: T) => ReactNode;
}

export function Loaded<T>({ of: { data, error, refetch }, children }: Props<T>) {
  if (data !== undefined) return children(data);
  if (isHoldfastError(error) && error.status === NOT_FOUND) return <NotHere error={error} />;
  if (error) return <ErrorAlert error={error} retry={() => void refetch()} />;
  return (
    <Stack role="status" aria-busy="true" aria-label="Loading">
      <Skeleton h={28} w="40%" />
      <Skeleton h={120} />
      <Skeleton h={120} />
    </Stack>
  );
}
