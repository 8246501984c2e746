//! The name of a field or a kind of the API, in words.

/** As "Client order ref" for clientOrderRef, "Ledger entry" for LedgerEntry. */
export function fieldWords(name: string): string {
  const words = name.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
