//! An account in a few words: its kind, and the end of its owner's id where it has one.
import { wordsOf } from '#parts/state-badge.tsx';

const TAIL = 4;

/** An account's id is its kind, its owner if it has one, and its currency. */
export function accountWords(id: string): string {
  const [kind = id, ...rest] = id.split('.');
  const owner = rest.length > 1 ? rest[0] : undefined;
  return owner === undefined ? wordsOf(kind) : `${wordsOf(kind)} …${owner.slice(-TAIL)}`;
}
