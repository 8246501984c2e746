//! The same log once more, pulled page by page.
import { exchange } from '../crash/http.ts';
import type { Chance } from './chance.ts';
import type { Marketplace } from './intent.ts';

interface Page {
  readonly data: {
    readonly data: readonly { readonly eventId: string }[];
    readonly hasMore: boolean;
    readonly nextCursor: string | null;
  };
}

const PAGE_MAX = 100;

/** The ids of all events of a marketplace, in the order they were told. */
export async function pullAll(
  urls: readonly string[],
  { key }: Marketplace,
  chance: Chance,
): Promise<string[]> {
  const ids: string[] = [];
  let after: string | undefined;
  for (;;) {
    const query = new URLSearchParams({ limit: String(1 + chance.below(PAGE_MAX)) });
    if (after !== undefined) query.set('after', after);
    const url = `${chance.oneOf(urls)}/api/v1/events/log?${query}`;
    const answer = await exchange(url, 'GET', { authorization: `Bearer ${key}` });
    if (answer.status !== 200) throw new Error(`GET /events/log answered ${answer.status}`);
    const { data: page } = JSON.parse(answer.body.toString()) as Page;
    ids.push(...page.data.map(({ eventId }) => eventId));
    if (!page.hasMore || page.nextCursor === null) return ids;
    after = page.nextCursor;
  }
}
