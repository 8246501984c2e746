//! The state of a screen in its address: plain words, in one order, without empty ones.

export type UrlState = Readonly<Record<string, string>>;

/** Everything stays text: an id of digits is no number. */
export function parseSearch(search: string): UrlState {
  return Object.fromEntries(new URLSearchParams(search));
}

export function stringifySearch(state: Readonly<Record<string, unknown>>): string {
  const defined = Object.entries(state)
    .filter((one): one is [string, string] => typeof one[1] === 'string' && one[1] !== '')
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const text = new URLSearchParams(defined).toString();
  return text === '' ? '' : `?${text}`;
}

/** The state with changes; undefined and empty take a word away. */
export function changed(
  state: UrlState,
  changes: Readonly<Record<string, string | undefined>>,
): UrlState {
  const entries = Object.entries({ ...state, ...changes });
  return Object.fromEntries(
    entries.filter((one): one is [string, string] => one[1] !== undefined && one[1] !== ''),
  );
}
