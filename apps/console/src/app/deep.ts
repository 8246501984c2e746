//! When what was read is left as it is: reading it anew would cost the service and the page dear.

/** As much of a query as it takes. */
interface Kept {
  readonly state: { readonly data?: unknown };
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** Whether an answer is too long to be read anew with every event. */
type IsLong<T> = (answer: T) => boolean;

/** Keeps it with the query, where it is found again. */
export function longWhen<T>(isLong: IsLong<T> | undefined) {
  return { meta: { isLong } };
}

/**
 * A table that somebody has scrolled far down, or another long answer, stays under their eyes until
 * they refresh it.
 */
export function isDeep({ state: { data }, meta }: Kept): boolean {
  if (data === undefined || data === null) return false;
  const { pages } = data as { pages?: readonly unknown[] };
  const isLong = meta?.['isLong'] as IsLong<unknown> | undefined;
  return pages === undefined ? isLong?.(data) === true : pages.length > 1;
}

/** When something is read by itself: not while it is deep. */
export function unlessDeep(everyMs?: number) {
  const may = (query: Kept) => !isDeep(query);
  return {
    refetchOnWindowFocus: may,
    refetchOnReconnect: may,
    refetchOnMount: may,
    refetchInterval: (query: Kept) => everyMs !== undefined && may(query) && everyMs,
  };
}
