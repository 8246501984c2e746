//! When a table is left as it is: reading it anew would ask the service for each of its pages.

/** As much of a query as it takes. */
interface Kept {
  readonly state: { readonly data?: unknown };
}

/** A table that somebody has scrolled far down stays under their eyes until they refresh it. */
export function isDeep({ state }: Kept): boolean {
  const { pages } = (state.data ?? {}) as { pages?: readonly unknown[] };
  return pages !== undefined && pages.length > 1;
}

/** When the rows of a table are read by themselves: not while it is deep. */
export function unlessDeep(everyMs?: number) {
  const may = (query: Kept) => !isDeep(query);
  return {
    refetchOnWindowFocus: may,
    refetchOnReconnect: may,
    refetchOnMount: may,
    refetchInterval: (query: Kept) => everyMs !== undefined && may(query) && everyMs,
  };
}
