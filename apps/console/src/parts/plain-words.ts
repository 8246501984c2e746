//! Sentences of the service for people: its code words become words.
import { wordsOf } from '#parts/state-badge.tsx';

const CODE_WORD = /\b[A-Z][A-Z_]+[A-Z]\b/g;
const CURRENCIES: ReadonlySet<string> = new Set(['USD', 'USDC', 'XLM', 'API', 'ID']);

/** As "Order from created to funds reserved" for "order from ORDER_CREATED to FUNDS_RESERVED". */
export function plainWords(sentence: string): string {
  const plain = sentence
    .replace(/^[a-z]+(?:-[a-z]+)+(?=:)/, (name) => name.replaceAll('-', ' '))
    .replace(CODE_WORD, (word) => (CURRENCIES.has(word) ? word : wordsOf(word).toLowerCase()));
  // An event's name, such as escrow.created, stays as the API has it.
  return /^[a-z]+\./.test(plain) ? plain : plain.charAt(0).toUpperCase() + plain.slice(1);
}
