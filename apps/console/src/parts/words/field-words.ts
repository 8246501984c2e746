//! The label of a field or a type of the API, in words.

/** Where the words of the name are not those that people use. */
const LABELS: Readonly<Record<string, string>> = {
  ApiKey: 'API key',
  clientOrderRef: 'Client order reference',
  ledgerAddress: 'Blockchain address',
  LoggedRequest: 'Request',
  milestoneRef: 'Milestone reference',
  payin: 'Pay-in',
  Payin: 'Pay-in',
  TopUp: 'Top-up',
};

/** As "Contract ID" for contractId, "Ledger entry" for LedgerEntry. */
export function fieldWords(name: string): string {
  const label = Object.hasOwn(LABELS, name) ? LABELS[name] : undefined;
  if (label !== undefined) return label;
  const words = name.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/\bid\b/i, 'ID');
}
