//! Decides which data is not refreshed by itself, because reading it anew is expensive.

/** As much of a query as it takes. */
interface CachedQuery {
  readonly state: { readonly data?: unknown };
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** Whether a response is too long to be read anew with every event. */
type IsLong<T> = (data: T) => boolean;

/** Keeps it with the query, where it is found again. */
export function longWhen<T>(isLong: IsLong<T> | undefined) {
  return { meta: { isLong } };
}

/**
 * A table that an operator has scrolled far down, or another long response, stays as it is until
 * they refresh it.
 */
export function isDeep({ state: { data }, meta }: CachedQuery): boolean {
  if (data === undefined || data === null) return false;
  const { pages } = data as { pages?: readonly unknown[] };
  const isLong = meta?.['isLong'] as IsLong<unknown> | undefined;
  return pages === undefined ? isLong?.(data) === true : pages.length > 1;
}

/** When something is read by itself: not while it is deep. */
export function unlessDeep(everyMs?: number) {
  const may = (query: CachedQuery) => !isDeep(query);
  return {
    refetchOnWindowFocus: may,
    refetchOnReconnect: may,
    refetchOnMount: may,
    refetchInterval: (query: CachedQuery) => everyMs !== undefined && may(query) && everyMs,
  };
}
