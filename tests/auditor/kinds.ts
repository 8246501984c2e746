//! The shape and the records of each kind of entry, written from the specification and not from the
//! server: the auditor would otherwise repeat its mistakes. A new kind is one row here.

/** `self`: the entry stays within one account. The others are kinds of account. */
interface KindRow {
  readonly from: ['user' | 'house' | 'escrow' | 'debt', 'available' | 'reserved'];
  readonly to: ['user' | 'house' | 'escrow' | 'debt' | 'self', 'available' | 'reserved'];
  /** Null where the entry has no balance event. */
  readonly event: string | null;
  /** A `Balance` entry has its own audit row; any other shares the audit row of its action. */
  readonly of: 'Balance' | 'User' | 'Order' | 'TopUp' | 'Withdrawal' | 'ReconciliationException';
  readonly actions: readonly string[];
}

// biome-ignore format: a table.
const ROWS: Readonly<Record<string, KindRow>> = {
  credit:            { from: ['house', 'available'],  to: ['user', 'available'],   event: 'balance.credited', of: 'Balance', actions: ['BALANCE_CREDITED'] },
  debit:             { from: ['user', 'available'],   to: ['house', 'available'],  event: 'balance.debited',  of: 'Balance', actions: ['BALANCE_DEBITED'] },
  reserve:           { from: ['user', 'available'],   to: ['self', 'reserved'],    event: 'balance.reserved', of: 'Balance', actions: ['BALANCE_RESERVED'] },
  // Part of one hold returned, or all holds of an order at once.
  unreserve:         { from: ['user', 'reserved'],    to: ['self', 'available'],   event: 'balance.released', of: 'Balance', actions: ['BALANCE_UNRESERVED', 'RESERVATIONS_CANCELED'] },
  spend:             { from: ['user', 'reserved'],    to: ['house', 'available'],  event: 'balance.debited',  of: 'Balance', actions: ['RESERVED_SPENT'] },
  // Of an order: reserved, returned, into escrow, back out of it, and paid to its owner.
  order_hold:        { from: ['user', 'available'],   to: ['self', 'reserved'],    event: 'balance.reserved', of: 'Order',   actions: ['ORDER_FUNDS_RESERVED', 'ESCROW_FUNDING_FAILED'] },
  order_hold_return: { from: ['user', 'reserved'],    to: ['self', 'available'],   event: 'balance.released', of: 'Order',   actions: ['ORDER_CANCELED'] },
  escrow_fund:       { from: ['user', 'reserved'],    to: ['escrow', 'available'], event: 'balance.debited',  of: 'Order',   actions: ['ESCROW_FUNDING_STARTED'] },
  escrow_unfund:     { from: ['escrow', 'available'], to: ['user', 'available'],   event: 'balance.credited', of: 'Order',   actions: ['ESCROW_FUNDING_FAILED'] },
  order_release:     { from: ['escrow', 'available'], to: ['user', 'available'],   event: 'balance.credited', of: 'Order',   actions: ['ORDER_RELEASED'] },
  order_refund:      { from: ['escrow', 'available'], to: ['user', 'available'],   event: 'balance.credited', of: 'Order',   actions: ['ORDER_REFUNDED'] },
  order_fee:         { from: ['escrow', 'available'], to: ['house', 'available'],  event: null,               of: 'Order',   actions: ['ORDER_RELEASED'] },
  // Of a top-up: to its user; or into and out of suspense, where the received amount differs.
  topup:                  { from: ['house', 'available'], to: ['user', 'available'],  event: 'balance.credited', of: 'TopUp', actions: ['TOPUP_SUCCEEDED'] },
  topup_suspense:         { from: ['house', 'available'], to: ['house', 'available'], event: null,               of: 'TopUp', actions: ['TOPUP_MONEY_SUSPENDED', 'TOPUP_CONTRADICTED'] },
  topup_suspense_return:  { from: ['house', 'available'], to: ['house', 'available'], event: null,               of: 'TopUp', actions: ['TOPUP_CONTRADICTED'] },
  // The payment provider's fee, as its record shows it; and the part that the user bears.
  topup_fee:              { from: ['house', 'available'], to: ['house', 'available'], event: null,               of: 'TopUp', actions: ['TOPUP_FEE_BOOKED'] },
  topup_fee_return:       { from: ['house', 'available'], to: ['house', 'available'], event: null,               of: 'TopUp', actions: ['TOPUP_FEE_BOOKED'] },
  topup_fee_charge:       { from: ['user', 'available'],  to: ['house', 'available'], event: 'balance.debited',  of: 'TopUp', actions: ['TOPUP_FEE_BOOKED'] },
  topup_fee_refund:       { from: ['house', 'available'], to: ['user', 'available'],  event: 'balance.credited', of: 'TopUp', actions: ['TOPUP_FEE_BOOKED'] },
  // A payment that the payer's bank took back, and one that came again.
  topup_reversal:         { from: ['user', 'available'],  to: ['house', 'available'], event: 'balance.debited',  of: 'TopUp', actions: ['TOPUP_REVERSED'] },
  topup_reinstated:       { from: ['house', 'available'], to: ['user', 'available'],  event: 'balance.credited', of: 'TopUp', actions: ['TOPUP_REINSTATED'] },
  // What a charge could not take, and its repayment.
  topup_debt:             { from: ['debt', 'available'],  to: ['house', 'available'], event: null,               of: 'TopUp', actions: ['TOPUP_FEE_BOOKED', 'TOPUP_REVERSED'] },
  debt_repayment:         { from: ['user', 'available'],  to: ['debt', 'available'],  event: 'balance.debited',  of: 'Balance', actions: ['DEBT_REPAID'] },
  debt_write_off:         { from: ['house', 'available'], to: ['debt', 'available'],  event: null,               of: 'User', actions: ['DEBT_WRITTEN_OFF'] },
  // A payment of an external payer to the user's address; an unexplained holding of the address.
  deposit:                { from: ['house', 'available'], to: ['user', 'available'],  event: 'balance.credited', of: 'Balance', actions: ['DEPOSIT_CREDITED'] },
  sync_credit:            { from: ['house', 'available'], to: ['user', 'available'],  event: 'balance.credited', of: 'Balance', actions: ['BALANCE_SYNCED'] },
  sync_debit:             { from: ['user', 'available'],  to: ['house', 'available'], event: 'balance.debited',  of: 'Balance', actions: ['BALANCE_SYNCED'] },
  // Of a withdrawal: reserved, returned, paid through the provider or over the network; and amounts
  // that the provider paid although the books had them elsewhere.
  withdrawal_hold:        { from: ['user', 'available'],  to: ['self', 'reserved'],   event: 'balance.reserved', of: 'Withdrawal', actions: ['WITHDRAWAL_CREATED'] },
  withdrawal_hold_return: { from: ['user', 'reserved'],   to: ['self', 'available'],  event: 'balance.released', of: 'Withdrawal', actions: ['WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED'] },
  withdrawal_payout:      { from: ['user', 'reserved'],   to: ['house', 'available'], event: 'balance.debited',  of: 'Withdrawal', actions: ['WITHDRAWAL_COMPLETED'] },
  withdrawal_crypto:      { from: ['user', 'reserved'],   to: ['house', 'available'], event: 'balance.debited',  of: 'Withdrawal', actions: ['WITHDRAWAL_COMPLETED'] },
  withdrawal_return:      { from: ['house', 'available'], to: ['user', 'available'],  event: 'balance.credited', of: 'Withdrawal', actions: ['WITHDRAWAL_RETURNED'] },
  withdrawal_retake:      { from: ['user', 'available'],  to: ['house', 'available'], event: 'balance.debited',  of: 'Withdrawal', actions: ['WITHDRAWAL_RETAKEN'] },
  withdrawal_suspense:    { from: ['house', 'available'], to: ['house', 'available'], event: null,               of: 'Withdrawal', actions: ['WITHDRAWAL_MONEY_SUSPENDED'] },
  // An operator resolved a difference with a provider: to suspense, from there to a user, or off.
  exception_suspense:     { from: ['house', 'available'], to: ['house', 'available'], event: null,               of: 'ReconciliationException', actions: ['EXCEPTION_RESOLVED'] },
  exception_credit:       { from: ['house', 'available'], to: ['user', 'available'],  event: 'balance.credited', of: 'ReconciliationException', actions: ['EXCEPTION_RESOLVED'] },
  exception_charge:       { from: ['user', 'available'],  to: ['house', 'available'], event: 'balance.debited',  of: 'ReconciliationException', actions: ['EXCEPTION_RESOLVED'] },
  exception_debt:         { from: ['debt', 'available'],  to: ['house', 'available'], event: null,               of: 'ReconciliationException', actions: ['EXCEPTION_RESOLVED'] },
  exception_write_off:    { from: ['house', 'available'], to: ['house', 'available'], event: null,               of: 'ReconciliationException', actions: ['EXCEPTION_RESOLVED'] },
};

const values = Object.entries(ROWS).map(
  ([kind, { from, to, event, of, actions }]) =>
    `('${kind}', '${from.join("', '")}', '${to.join("', '")}',
      ${event === null ? 'null' : `'${event}'`}, '${of}', array['${actions.join("', '")}'])`,
);

/** The table above, to be joined with the entries as `kinds`. */
export const KINDS = `(values ${values.join(', ')})
  as kinds (kind, from_side, from_bucket, to_side, to_bucket, event, audited_as, actions)`;

/** The account whose balance a kind of entry changes: its event and audit row name it. */
export const SUBJECT_ACCOUNT = `case when kinds.from_side = 'user' then entry.from_account
  else entry.to_account end`;

/** Accounts with an owner keep a balance and number their entries; house accounts do neither. */
export function hasBalance(account: string): string {
  return `${account}.kind in ('user', 'debt', 'escrow')`;
}

/** The effect of each entry on each of its accounts: one row per account, so at most two. */
export const LEGS = `
  select marketplace_id, id as entry_id, subject_id, from_account as account_id, from_seq as seq,
    from_available as available_after, from_reserved as reserved_after,
    case when from_bucket = 'available' then -amount else 0 end
      + case when to_account = from_account and to_bucket = 'available' then amount else 0 end
      as available,
    case when from_bucket = 'reserved' then -amount else 0 end
      + case when to_account = from_account and to_bucket = 'reserved' then amount else 0 end
      as reserved
  from entry
  union all
  select marketplace_id, id, subject_id, to_account, to_seq, to_available, to_reserved,
    case when to_bucket = 'available' then amount else 0 end,
    case when to_bucket = 'reserved' then amount else 0 end
  from entry where to_account <> from_account`;
