//! Horizon's JSON of accounts, transactions and payments.
import { amountText } from './amount.ts';
import type { Sequenced, SequencedMovement } from './archive.ts';
import type { Ledger } from './ledger.ts';
import { metaXdr } from './meta.ts';
import { type Movement, type TransactionRecord, transactionToken } from './record.ts';
import { type Account, subentriesOf } from './state.ts';

type View = Record<string, unknown>;

export function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

const NO_LIABILITIES = { buying_liabilities: '0.0000000', selling_liabilities: '0.0000000' };

export function accountView(base: string, account: Account, closeTime: number): View {
  const { address } = account;
  const self = `${base}/accounts/${address}`;
  const lines = Object.entries(account.lines).map(([key, { balance, limit, sponsor }]) => ({
    balance: amountText(balance),
    limit: amountText(limit),
    ...NO_LIABILITIES,
    last_modified_ledger: account.lastLedger,
    is_authorized: true,
    is_authorized_to_maintain_liabilities: true,
    is_clawback_enabled: false,
    ...(sponsor !== undefined && { sponsor }),
    ...assetFields(key),
  }));
  return {
    // The SDK reads `data` through its link; without it the check for memos dies.
    _links: {
      self: { href: self },
      transactions: pageLink(`${self}/transactions`),
      operations: pageLink(`${self}/operations`),
      payments: pageLink(`${self}/payments`),
      effects: pageLink(`${self}/effects`),
      offers: pageLink(`${self}/offers`),
      trades: pageLink(`${self}/trades`),
      data: { href: `${self}/data/{key}`, templated: true },
    },
    id: address,
    account_id: address,
    sequence: String(account.sequence),
    sequence_ledger: account.sequenceLedger,
    sequence_time: String(account.sequenceTime),
    subentry_count: subentriesOf(account),
    last_modified_ledger: account.lastLedger,
    last_modified_time: timeText(closeTime),
    thresholds: { low_threshold: 0, med_threshold: 0, high_threshold: 0 },
    flags: {
      auth_required: false,
      auth_revocable: false,
      auth_immutable: false,
      auth_clawback_enabled: false,
    },
    balances: [
      ...lines,
      { balance: amountText(account.balance), ...NO_LIABILITIES, asset_type: 'native' },
    ],
    signers: [{ weight: 1, key: address, type: 'ed25519_public_key' }],
    data: account.data ?? {},
    num_sponsoring: account.numSponsoring,
    num_sponsored: account.numSponsored,
    ...(account.sponsor !== undefined && { sponsor: account.sponsor }),
    paging_token: address,
  };
}

function pageLink(href: string): View {
  return { href: `${href}{?cursor,limit,order}`, templated: true };
}

/** `hash` is the requested one: of a fee bump, or of its inner transaction. */
export function transactionView(
  base: string,
  record: TransactionRecord,
  ledger: Ledger,
  hash = record.hash,
): View {
  const { innerHash } = record;
  const isInner = hash === innerHash;
  return {
    _links: {
      self: { href: `${base}/transactions/${hash}` },
      account: { href: `${base}/accounts/${record.source}` },
      ledger: { href: `${base}/ledgers/${record.ledger}` },
      operations: pageLink(`${base}/transactions/${hash}/operations`),
      effects: pageLink(`${base}/transactions/${hash}/effects`),
      precedes: {
        href: `${base}/transactions?order=asc&cursor=${transactionToken(record.ledger)}`,
      },
      succeeds: {
        href: `${base}/transactions?order=desc&cursor=${transactionToken(record.ledger)}`,
      },
    },
    id: hash,
    paging_token: transactionToken(record.ledger),
    successful: record.isSuccessful,
    hash,
    ledger: record.ledger,
    created_at: timeText(record.closeTime),
    source_account: record.source,
    source_account_sequence: String(record.sequence),
    fee_account: record.feeSource,
    fee_charged: String(record.feeCharged),
    max_fee: String(record.maxFee),
    operation_count: record.operationCount,
    envelope_xdr: record.envelopeXdr,
    result_xdr: record.resultXdr,
    result_meta_xdr: metaXdr(record, ledger.network),
    fee_meta_xdr: 'AAAAAA==',
    memo_type: record.memo.type,
    ...(record.memo.value !== undefined && { memo: record.memo.value }),
    signatures: isInner ? record.innerSignatures : record.signatures,
    ...(record.timeBounds && {
      preconditions: {
        timebounds: { min_time: record.timeBounds.min, max_time: record.timeBounds.max },
      },
    }),
    ...(innerHash !== undefined && {
      fee_bump_transaction: { hash: record.hash, signatures: record.signatures },
      inner_transaction: {
        hash: innerHash,
        signatures: record.innerSignatures,
        max_fee: String(record.innerMaxFee),
      },
    }),
  };
}

export function sequencedTransactionView(
  base: string,
  { record }: Sequenced,
  ledger: Ledger,
): View {
  return transactionView(base, record, ledger);
}

const TYPE_NUMBERS = { create_account: 0, payment: 1, account_merge: 8, invoke_host_function: 24 };

export function paymentView(base: string, { token, record, movement }: SequencedMovement): View {
  const id = String(token);
  return {
    _links: {
      self: { href: `${base}/operations/${id}` },
      transaction: { href: `${base}/transactions/${record.hash}` },
      effects: { href: `${base}/operations/${id}/effects` },
      succeeds: { href: `${base}/effects?order=desc&cursor=${id}` },
      precedes: { href: `${base}/effects?order=asc&cursor=${id}` },
    },
    id,
    paging_token: id,
    transaction_successful: record.isSuccessful,
    source_account: movement.source,
    type: movement.type,
    type_i: TYPE_NUMBERS[movement.type],
    created_at: timeText(record.closeTime),
    transaction_hash: record.hash,
    ...movementFields(movement),
  };
}

function movementFields(movement: Movement): View {
  switch (movement.type) {
    case 'create_account':
      return {
        starting_balance: amountText(movement.stroops),
        funder: movement.source,
        account: movement.account,
      };
    case 'payment':
      return {
        ...assetFields(movement.asset),
        from: movement.from,
        to: movement.to,
        ...(movement.toMuxed && { to_muxed: movement.toMuxed, to_muxed_id: movement.toMuxedId }),
        amount: amountText(movement.stroops),
      };
    case 'account_merge':
      return { account: movement.source, into: movement.into };
    case 'invoke_host_function':
      return {
        function: 'HostFunctionTypeHostFunctionTypeInvokeContract',
        parameters: movement.parameters.map((value, at) => ({
          value,
          type: at === 0 ? 'Address' : at === 1 ? 'Sym' : 'Val',
        })),
        address: '',
        salt: '',
        asset_balance_changes: movement.transfers.map(({ from, to, asset, stroops }) => ({
          ...assetFields(asset),
          type: 'transfer',
          from,
          to,
          amount: amountText(stroops),
        })),
      };
  }
}

/**
 * What an operation did to each account. Only of a merge, whose own record names no amount; those
 * of other operations say nothing that their records do not.
 */
export function effectViews(base: string, { token, record, movement }: SequencedMovement): View[] {
  if (movement.type !== 'account_merge') return [];
  const { source, into, stroops } = movement;
  const money = { asset_type: 'native', amount: amountText(stroops) };
  const effects = [
    { type: 'account_debited', type_i: 3, account: source, ...money },
    { type: 'account_credited', type_i: 2, account: into, ...money },
    { type: 'account_removed', type_i: 1, account: source },
  ];
  return effects.map((effect, at) => ({
    _links: { operation: { href: `${base}/operations/${token}` } },
    id: `${String(token).padStart(19, '0')}-${String(at + 1).padStart(10, '0')}`,
    paging_token: `${token}-${at + 1}`,
    created_at: timeText(record.closeTime),
    ...effect,
  }));
}

/** CODE:ISSUER as the three fields in which Horizon names an asset. */
function assetFields(key: string): Record<string, string> {
  if (key === 'native') return { asset_type: 'native' };
  const [code = '', issuer = ''] = key.split(':');
  const type = code.length <= 4 ? 'credit_alphanum4' : 'credit_alphanum12';
  return { asset_type: type, asset_code: code, asset_issuer: issuer };
}
