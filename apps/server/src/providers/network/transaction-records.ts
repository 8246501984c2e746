//! Horizon's records of transactions.
import { readInstant } from '@holdfast/kernel/clock';
import type { NetworkTransaction } from './network-transaction.ts';
import { type Fields, textOf } from './payment-records.ts';

/** Undefined for a record that is not what Horizon documents. */
export function readNetworkTransaction(record: Fields): NetworkTransaction | undefined {
  const sequence = textOf(record, 'source_account_sequence');
  const at = readInstant(textOf(record, 'created_at'));
  const [cursor, hash] = [textOf(record, 'paging_token'), textOf(record, 'hash')];
  const [source, xdr] = [textOf(record, 'source_account'), textOf(record, 'envelope_xdr')];
  if (!/^\d+$/.test(sequence) || at === undefined || [cursor, hash, source].includes('')) return;
  const bounds = (record['preconditions'] as Fields | undefined)?.['timebounds'];
  const maxTime = textOf(bounds, 'max_time');
  return {
    cursor,
    hash,
    innerHash: textOf(record['inner_transaction'], 'hash') || null,
    source,
    sequence: BigInt(sequence),
    isApplied: record['successful'] === true,
    at,
    maxTime: /^[1-9]\d*$/.test(maxTime) ? BigInt(maxTime) : undefined,
    memo: record['memo_type'] === 'text' ? textOf(record, 'memo') : null,
    xdr,
    resultXdr: textOf(record, 'result_xdr') || undefined,
  };
}
