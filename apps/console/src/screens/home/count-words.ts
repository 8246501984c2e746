//! A count that may have stopped before the end.

/** As "12", or "10,000+" where counting stopped. */
export function countWords(count: number, isCut: boolean): string {
  return `${count.toLocaleString('en-US')}${isCut ? '+' : ''}`;
}
