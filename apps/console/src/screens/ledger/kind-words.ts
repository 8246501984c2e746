//! What each kind of account holds.
import type { LedgerAccountKind } from '@holdfast/sdk';

export const KIND_WORDS: Readonly<Record<LedgerAccountKind, string>> = {
  user: 'User balances: available, and reserved for orders and withdrawals',
  debt: 'Owed by users: taken back after it was spent',
  escrow: 'Funds in escrow contracts',
  adjustments: 'Manual credits and debits',
  fee_income: 'Fees earned by the marketplace',
  provider_fees: 'Write-offs',
  payment_fees: 'Fees of the payment provider on pay-ins',
  payment_clearing: 'Transfers through the payment provider',
  network_clearing: 'Transfers over the blockchain',
  treasury: 'Wallets owned by the platform',
  suspense: 'Funds with no known owner yet',
};
