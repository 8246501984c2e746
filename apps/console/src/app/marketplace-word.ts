//! The marketplace in the address, for operators with more than one: a shared link opens where it
//! was copied, not where its reader last was.
import { parseSearch, type UrlState } from '#app/url-state.ts';

const WORD = 'm';

/** Undefined where the address names none. */
export function marketplaceIn(search: string): string | undefined {
  return parseSearch(search)[WORD];
}

/** The words of an address, with this marketplace among them. */
export function withMarketplace(state: UrlState, marketplaceId: string): UrlState {
  return { ...state, [WORD]: marketplaceId };
}

interface Step {
  readonly search: UrlState;
  readonly next: (search: UrlState) => UrlState;
}

/** On the way from one screen to the next the word stays, as the marketplace does. */
export function preserveMarketplace({ search, next }: Step): UrlState {
  const wanted = next(search);
  const here = search[WORD];
  return wanted[WORD] !== undefined || here === undefined ? wanted : withMarketplace(wanted, here);
}
