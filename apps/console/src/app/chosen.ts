//! Reads a word of the address as one of the values that a query takes; other words are ignored.

export function chosen<const W extends string>(
  word: string | undefined,
  words: readonly W[],
): W | undefined {
  return words.find((one) => one === word);
}
