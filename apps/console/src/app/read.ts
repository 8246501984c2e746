//! Reads through the SDK, under a key that events can name.
import type { Holdfast } from '@holdfast/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { longWhen, unlessDeep } from '#app/deep.ts';
import type { Topic } from '#app/queries.ts';
import { useHoldfast, useSession } from '#app/session/session.tsx';

interface ReadOptions<T> {
  /** For data that no event reports. */
  readonly everyMs?: number;
  readonly isEnabled?: boolean;
  /** Shows the last response while the next one is under way. */
  readonly keepPrevious?: boolean;
  /** The same query always has the same result: it is read once. */
  readonly isFixed?: boolean;
  /** A response of which this is true stays as it is until the operator refreshes it. */
  readonly isLong?: (data: T) => boolean;
}

/** One response, read again when an event touches its topic. */
export function useRead<T>(
  topic: Topic,
  key: readonly unknown[],
  read: (holdfast: Holdfast, signal: AbortSignal) => Promise<T>,
  { everyMs, isEnabled = true, keepPrevious = false, isFixed = false, isLong }: ReadOptions<T> = {},
) {
  const holdfast = useHoldfast();
  const { marketplaceId } = useSession();
  return useQuery<T>({
    queryKey: [topic, marketplaceId, ...key],
    queryFn: async ({ signal }) => await read(holdfast, signal),
    enabled: isEnabled,
    ...unlessDeep(everyMs),
    ...longWhen(isLong),
    ...(isFixed && { staleTime: Number.POSITIVE_INFINITY }),
    ...(keepPrevious && { placeholderData: keepPreviousData as never }),
  });
}
