//! Waiting, an error, or what was read.
import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorNote } from '#parts/error-note.tsx';

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
  if (error) return <ErrorNote error={error} retry={() => void refetch()} />;
  return (
    <Stack aria-busy="true" aria-label="Loading">
      <Skeleton h={28} w="40%" />
      <Skeleton h={120} />
      <Skeleton h={120} />
    </Stack>
  );
}
