//! Turns the filters of a list into its query; values that the service would refuse are left out.
import type { UrlState } from '#app/url-state.ts';
import type { Filter } from '#parts/table/filter-bar.tsx';

/** The words that filters can give: of their choices where they have some. */
export type FilterQuery<Filters extends readonly Filter[]> = {
  readonly [One in Filters[number] as One['name']]?: One extends {
    readonly choices: readonly (infer Choice)[];
  }
    ? Choice
    : string;
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

export function filterQuery<const Filters extends readonly Filter[]>(
  filters: Filters,
  state: UrlState,
): FilterQuery<Filters> {
  const given = filters.map((filter) => [filter.name, wordFor(filter, state)] as const);
  return Object.fromEntries(given.filter(([, word]) => word !== undefined)) as FilterQuery<Filters>;
}

/** A choice of the list, a whole day, a text of the right form: anything else is no filter yet. */
function wordFor(filter: Filter, state: UrlState): string | undefined {
  const { name, choices, type, accepts, isLastDay = false } = filter;
  const word = state[name];
  if (word === undefined || choices?.includes(word) === false) return undefined;
  if (type !== 'date') return accepts?.test(word) === false ? undefined : word;
  return isLastDay ? dayAfter(word) : dayOf(word);
}

function dayOf(word: string): string | undefined {
  return DAY.test(word) && !Number.isNaN(Date.parse(word)) ? word : undefined;
}

/** Where a period ends that has this day in it; undefined for what is no day. */
export function dayAfter(word: string): string | undefined {
  const day = dayOf(word);
  return day && new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}
