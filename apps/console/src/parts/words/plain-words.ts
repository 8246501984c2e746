//! Turns the code words in sentences of the service into plain words.
import { wordsOf } from '#parts/state-badge.tsx';

const CODE_WORD = /\b[A-Z][A-Z_]+[A-Z]\b/g;
/** Capitals that are no code word. */
const AS_IS: ReadonlySet<string> = new Set(
  'USD USDC XLM API ID UTC URL HTTP HTTPS JSON UUID'.split(' '),
);

/** As "Order from created to funds reserved" for "order from ORDER_CREATED to FUNDS_RESERVED". */
export function plainWords(sentence: string): string {
  const plain = sentence
    .replace(/^[a-z]+(?:-[a-z]+)+(?=:)/, (name) => name.replaceAll('-', ' '))
    .replace(CODE_WORD, (word) => (AS_IS.has(word) ? word : wordsOf(word).toLowerCase()));
  // An event's name, such as escrow.created, stays as the API has it.
  return /^[a-z]+\./.test(plain) ? plain : plain.charAt(0).toUpperCase() + plain.slice(1);
}
