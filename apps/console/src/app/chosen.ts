//! A word of the address as one of the words that a query takes; anything else is no choice.

export function chosen<const W extends string>(
  word: string | undefined,
  words: readonly W[],
): W | undefined {
  return words.find((one) => one === word);
}
