//! What each kind of account holds.
import type { LedgerAccountKind } from '@holdfast/sdk';

export const KIND_WORDS: Readonly<Record<LedgerAccountKind, string>> = {
  user: 'What users own: available, and reserved for orders and withdrawals',
  escrow: 'What lies in the contract of an order',
  adjustments: 'Credits and debits by hand',
  fee_income: 'Fees that the marketplace earned',
  provider_fees: 'What providers kept, and losses written off',
  payment_clearing: 'What went through the payment provider',
  network_clearing: 'What went over the ledger network',
  treasury: "The house's own wallets",
  suspense: 'Money whose owner is not known yet',
};
