//! What each kind of entry looks like and leaves behind. Written from the specification, not from
//! the server: the auditor would otherwise repeat its mistakes. A new kind is one row here.

/** `self`: the entry stays within one account. The others are kinds of account. */
interface KindRow {
  readonly from: ['user' | 'house' | 'escrow', 'available' | 'reserved'];
  readonly to: ['user' | 'house' | 'escrow' | 'self', 'available' | 'reserved'];
  /** Null where no balance event tells it. */
  readonly event: string | null;
  /** A change of a balance has an audit row of its own; one of an order stands under its deed. */
  readonly of: 'Balance' | 'Order';
  readonly actions: readonly string[];
}

// biome-ignore format: a table.
const ROWS: Readonly<Record<string, KindRow>> = {
  credit:            { from: ['house', 'available'],  to: ['user', 'available'],   event: 'balance.credited', of: 'Balance', actions: ['BALANCE_CREDITED'] },
  debit:             { from: ['user', 'available'],   to: ['house', 'available'],  event: 'balance.debited',  of: 'Balance', actions: ['BALANCE_DEBITED'] },
  reserve:           { from: ['user', 'available'],   to: ['self', 'reserved'],    event: 'balance.reserved', of: 'Balance', actions: ['BALANCE_RESERVED'] },
  // One hold given back in part, or all holds of an order at once.
  unreserve:         { from: ['user', 'reserved'],    to: ['self', 'available'],   event: 'balance.released', of: 'Balance', actions: ['BALANCE_UNRESERVED', 'RESERVATIONS_CANCELED'] },
  spend:             { from: ['user', 'reserved'],    to: ['house', 'available'],  event: 'balance.debited',  of: 'Balance', actions: ['RESERVED_SPENT'] },
  // An order's money: set aside, given back, into escrow, back out of it, and to whom it belongs.
  order_hold:        { from: ['user', 'available'],   to: ['self', 'reserved'],    event: 'balance.reserved', of: 'Order',   actions: ['ORDER_FUNDS_RESERVED'] },
  order_hold_return: { from: ['user', 'reserved'],    to: ['self', 'available'],   event: 'balance.released', of: 'Order',   actions: ['ORDER_CANCELED'] },
  escrow_fund:       { from: ['user', 'reserved'],    to: ['escrow', 'available'], event: null,               of: 'Order',   actions: ['ESCROW_FUNDING_STARTED'] },
  escrow_unfund:     { from: ['escrow', 'available'], to: ['user', 'reserved'],    event: null,               of: 'Order',   actions: ['ESCROW_FUNDING_FAILED'] },
  order_release:     { from: ['escrow', 'available'], to: ['user', 'available'],   event: 'balance.credited', of: 'Order',   actions: ['ORDER_RELEASED'] },
  order_refund:      { from: ['escrow', 'available'], to: ['user', 'available'],   event: 'balance.credited', of: 'Order',   actions: ['ORDER_REFUNDED'] },
  order_fee:         { from: ['escrow', 'available'], to: ['house', 'available'],  event: null,               of: 'Order',   actions: ['ORDER_RELEASED'] },
};

const values = Object.entries(ROWS).map(
  ([kind, { from, to, event, of, actions }]) =>
    `('${kind}', '${from.join("', '")}', '${to.join("', '")}',
      ${event === null ? 'null' : `'${event}'`}, '${of}', array['${actions.join("', '")}'])`,
);

/** The table above, to be joined with the entries as `kinds`. */
export const KINDS = `(values ${values.join(', ')})
  as kinds (kind, from_side, from_bucket, to_side, to_bucket, event, audited_as, actions)`;

/** Whose balance an entry of a kind changes: the account that its event and audit row name. */
export const SUBJECT_ACCOUNT = `case when kinds.from_side = 'user' then entry.from_account
  else entry.to_account end`;

/** Accounts with an owner keep a balance and number their entries; house accounts do neither. */
export function isKept(account: string): string {
  return `${account}.kind in ('user', 'escrow')`;
}

/** What each entry does to each account it touches: one row per account, so at most two. */
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
