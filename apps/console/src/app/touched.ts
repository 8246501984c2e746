//! Decides which queries an event touches: an order's own page is not read anew for another order.

const OUR_ID = /^[a-z]+_[0-9a-z]{27}$/;

interface EventFacts {
  readonly aggregateId: string;
  readonly payload: object;
}

/** Every id of ours that an event names. */
export function idsIn({ aggregateId, payload }: EventFacts): string[] {
  const texts: unknown[] = [aggregateId, ...Object.values(payload)];
  return texts.filter((one): one is string => typeof one === 'string' && OUR_ID.test(one));
}

/**
 * A key that names ids is touched when one of them was; a key that names none is a list, and any
 * event of its topic may change it. The second part of a key is the marketplace.
 */
export function isTouched(key: readonly unknown[], ids: ReadonlySet<string>): boolean {
  const named = key.slice(2).filter((one) => typeof one === 'string' && OUR_ID.test(one));
  return named.length === 0 || named.some((one) => ids.has(one as string));
}
