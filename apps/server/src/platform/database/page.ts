//! Pages of a list: newest first, keyset by id. One row more than requested shows if there is more.
import { PAGE_SIZE } from '@holdfast/contract/limits';

export interface PageQuery {
  /** Decimal text, as it comes in a query string; the schema has checked its bounds. */
  readonly limit?: string;
  readonly cursor?: string;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
}

/** The schema has checked its bounds. */
export function pageSizeOf({ limit }: PageQuery): number {
  return limit === undefined ? PAGE_SIZE.default : Number(limit);
}

export async function pageOf<T extends { readonly id: string }>(
  query: PageQuery,
  rows: (after: string | null, count: number) => Promise<T[]>,
): Promise<Page<T>> {
  const limit = pageSizeOf(query);
  const found = await rows(query.cursor ?? null, limit + 1);
  const items = found.slice(0, limit);
  const hasMore = found.length > limit;
  return { items, hasMore, nextCursor: hasMore ? (items.at(-1)?.id ?? null) : null };
}
