//! Reading through the SDK, with a key that events can name.
import type { Holdfast } from '@holdfast/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { longWhen, unlessDeep } from '#app/deep.ts';
import type { Topic } from '#app/queries.ts';
import { useHoldfast, useSession } from '#app/session.tsx';

interface ReadOptions<T> {
  /** For what no event tells of. */
  readonly everyMs?: number;
  readonly isEnabled?: boolean;
  /** Shows the last answer while the next one is under way. */
  readonly keepPrevious?: boolean;
  /** The same question always has the same answer: it is asked once. */
  readonly isFixed?: boolean;
  /** An answer of which this is true stays as it is until somebody has it read again. */
  readonly isLong?: (answer: T) => boolean;
}

/** One answer, read again when an event touches its topic. */
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
