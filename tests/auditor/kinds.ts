//! What each kind of entry looks like and leaves behind. Written from the specification, not from
//! the server: the auditor would otherwise repeat its mistakes. A new kind is one row here.

/** `self`: the entry stays within one account. `user` and `house` are kinds of account. */
interface KindRow {
  readonly from: ['user' | 'house', 'available' | 'reserved'];
  readonly to: ['user' | 'house' | 'self', 'available' | 'reserved'];
  readonly event: string;
  readonly actions: readonly string[];
}

// biome-ignore format: a table.
const ROWS: Readonly<Record<string, KindRow>> = {
  credit:    { from: ['house', 'available'], to: ['user', 'available'],  event: 'balance.credited', actions: ['BALANCE_CREDITED'] },
  debit:     { from: ['user', 'available'],  to: ['house', 'available'], event: 'balance.debited',  actions: ['BALANCE_DEBITED'] },
  reserve:   { from: ['user', 'available'],  to: ['self', 'reserved'],   event: 'balance.reserved', actions: ['BALANCE_RESERVED'] },
  // One hold given back in part, or all holds of an order at once.
  unreserve: { from: ['user', 'reserved'],   to: ['self', 'available'],  event: 'balance.released', actions: ['BALANCE_UNRESERVED', 'RESERVATIONS_CANCELED'] },
  spend:     { from: ['user', 'reserved'],   to: ['house', 'available'], event: 'balance.debited',  actions: ['RESERVED_SPENT'] },
};

const values = Object.entries(ROWS).map(
  ([kind, { from, to, event, actions }]) =>
    `('${kind}', '${from.join("', '")}', '${to.join("', '")}', '${event}',
      array['${actions.join("', '")}'])`,
);

/** The table above, to be joined with the entries as `kinds`. */
export const KINDS = `(values ${values.join(', ')})
  as kinds (kind, from_side, from_bucket, to_side, to_bucket, event, actions)`;

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
