//! A title for each kind of ledger entry, for people who read a statement or a timeline.

/** Kinds as the journal stores them. */
export const ENTRY_WORDS: Readonly<Record<string, string>> = {
  credit: 'Credit',
  debit: 'Debit',
  reserve: 'Funds reserved',
  unreserve: 'Reservation released',
  spend: 'Deducted from reservation',
  order_hold: 'Funds reserved for order',
  order_hold_return: 'Order reservation released',
  escrow_fund: 'Escrow funded',
  escrow_unfund: 'Escrow funding reversed',
  order_release: 'Released to seller',
  order_refund: 'Refunded to buyer',
  order_fee: 'Marketplace fee',
  topup: 'Top-up',
  topup_suspense: 'Top-up payment to suspense',
  topup_suspense_return: 'Top-up payment returned from suspense',
  topup_fee: 'Top-up fee of the payment provider',
  topup_fee_return: 'Top-up fee of the payment provider reversed',
  topup_fee_charge: 'Top-up fee charged to the user',
  topup_fee_refund: 'Top-up fee refunded to the user',
  topup_reversal: 'Top-up payment reversed',
  topup_reinstated: 'Reversed top-up payment received again',
  topup_debt: 'Debt opened by a top-up',
  debt_repayment: 'Debt repaid',
  debt_write_off: 'Debt written off',
  deposit: 'Blockchain deposit',
  sync_credit: 'Balance correction (credit)',
  sync_debit: 'Balance correction (debit)',
  withdrawal_hold: 'Funds reserved for withdrawal',
  withdrawal_hold_return: 'Withdrawal reservation released',
  withdrawal_payout: 'Withdrawal paid out',
  withdrawal_crypto: 'Withdrawal paid out over the blockchain',
  withdrawal_return: 'Payout returned to the user',
  withdrawal_retake: 'Withdrawal paid out after all',
  withdrawal_suspense: 'Withdrawal difference to suspense',
  exception_suspense: 'Reconciliation difference posted to suspense',
  exception_credit: 'Reconciliation difference credited to user',
  exception_charge: 'Reconciliation difference charged to user',
  exception_debt: 'Debt opened by a reconciliation difference',
  exception_write_off: 'Reconciliation difference written off',
};

/** As "Released to seller" for order_release; the kind's own words where it has no title. */
export function entryWords(kind: string): string {
  const title = Object.hasOwn(ENTRY_WORDS, kind) ? ENTRY_WORDS[kind] : undefined;
  return title ?? kind.replaceAll('_', ' ');
}
