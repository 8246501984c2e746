//! Lists: newest first, paged by cursors that are the ids of the first and the last item.
import { malformed } from './body.ts';

interface Listed {
  readonly id: string;
  readonly status: string;
}

const PER_PAGE_MIN = 10;
const PER_PAGE_MAX = 1000;
const PER_PAGE_DEFAULT = 100;

/** `oldestFirst` is the order in which the store has them. */
export function listPage<T extends Listed>(
  oldestFirst: readonly T[],
  query: URLSearchParams,
  statuses: readonly string[],
  view: (record: T) => object,
): object {
  const status = query.get('status');
  if (status !== null && !statuses.includes(status))
    malformed('status', `must be one of ${statuses.join(', ')}`);
  const newestFirst = oldestFirst.toReversed();
  const fitting = slice(
    newestFirst,
    query,
    (record) => status === null || record.status === status,
  );
  const first = fitting.at(0);
  const last = fitting.at(-1);
  return {
    items: fitting.map(view),
    ...(first && last && { startCursor: first.id, endCursor: last.id }),
  };
}

/** A cursor stays valid also when its own record no longer has the requested status. */
function slice<T extends Listed>(
  records: readonly T[],
  query: URLSearchParams,
  fits: (record: T) => boolean,
): readonly T[] {
  const perPage = readPerPage(query.get('perPage'));
  const after = query.get('after');
  const before = query.get('before');
  if (after !== null && before !== null) malformed('after', 'and before exclude each other');
  if (before !== null)
    return records
      .slice(0, positionOf(records, before, 'before'))
      .filter(fits)
      .slice(-perPage);
  const from = after === null ? 0 : positionOf(records, after, 'after') + 1;
  return records.slice(from).filter(fits).slice(0, perPage);
}

function positionOf(records: readonly Listed[], cursor: string, name: string): number {
  const at = records.findIndex(({ id }) => id === cursor);
  return at === -1 ? malformed(name, 'is not a cursor of this list') : at;
}

function readPerPage(text: string | null): number {
  if (text === null) return PER_PAGE_DEFAULT;
  const size = /^[1-9]\d{0,3}$/.test(text) ? (JSON.parse(text) as number) : 0;
  const isFitting = size >= PER_PAGE_MIN && size <= PER_PAGE_MAX;
  return isFitting
    ? size
    : malformed('perPage', `must be a whole number from ${PER_PAGE_MIN} to ${PER_PAGE_MAX}`);
}
