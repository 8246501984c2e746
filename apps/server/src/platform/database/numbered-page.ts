//! Pages by number, as Surface B has them: the response includes the total.
import { PAGE_SIZE } from '@holdfast/contract/limits';

export interface NumberedQuery {
  /** Decimal text, as it comes in a query string; the schema has checked its form. */
  readonly page?: string;
  readonly limit?: string;
}

export interface NumberedPage<T> {
  readonly items: readonly T[];
  readonly page: number;
  readonly limit: number;
  readonly total: number;
}

/** A requested size above one hundred is reduced to one hundred. */
export async function numberedPageOf<T>(
  query: NumberedQuery,
  rows: (skip: number, count: number) => Promise<{ items: T[]; total: number }>,
): Promise<NumberedPage<T>> {
  const page = Number(query.page ?? '1');
  const limit = Math.min(Number(query.limit ?? PAGE_SIZE.default), PAGE_SIZE.maximum);
  return { ...(await rows((page - 1) * limit, limit)), page, limit };
}
