//! Horizon's records of payments, read into transfers.
import { readInstant } from '@holdfast/kernel/clock';
import type { NetworkPayment } from './ledger-network.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Not what Horizon documents. Reading stops there, since it may be a user's money. */
export class UnreadableRecord extends Error {}

/** A merge of an account, whose record does not name the amount: only its effects do. */
export interface Merge {
  readonly operationId: string;
  readonly into: string;
}

export function mergeOf(record: Fields): Merge | undefined {
  if (record['type'] !== 'account_merge' || record['transaction_successful'] !== true)
    return undefined;
  return { operationId: neededText(record, 'id'), into: neededText(record, 'into') };
}

/** The XLM that a merge brought, by the effects of its operation. */
export function readMerged(effects: readonly Fields[], { into }: Merge): bigint {
  const credited = effects.find(
    (effect) => effect['type'] === 'account_credited' && effect['account'] === into,
  );
  if (credited?.['asset_type'] !== 'native')
    throw new UnreadableRecord('Horizon returned a merge without its effect');
  return neededStroops(textOf(credited, 'amount'));
}

/**
 * Every transfer of a record; none for a failed one and for one that is not a payment. `merged` has
 * the amounts of merges, by their operations.
 */
export function readPayments(
  record: Fields,
  usdcIssuer: string,
  merged: ReadonlyMap<string, bigint> = new Map(),
): NetworkPayment[] {
  if (record['transaction_successful'] !== true) return [];
  const base = {
    operationId: neededText(record, 'id'),
    cursor: neededText(record, 'paging_token'),
    hash: neededText(record, 'transaction_hash'),
    at: readInstant(textOf(record, 'created_at')) ?? 0,
  };
  const type = textOf(record, 'type');
  if (type === 'invoke_host_function') {
    const changes = (record['asset_balance_changes'] ?? []) as Fields[];
    return changes.map((change, part) => ({
      ...base,
      ...readTransfer(change, usdcIssuer),
      part,
      by: 'contract' as const,
    }));
  }
  if (type === 'create_account') {
    const from = textOf(record, 'funder');
    const to = textOf(record, 'account');
    const stroops = neededStroops(textOf(record, 'starting_balance'));
    return [{ ...base, from, to, asset: 'XLM', stroops, part: 0, by: 'payment' }];
  }
  if (type === 'account_merge') {
    const stroops = merged.get(base.operationId);
    if (stroops === undefined) return [];
    const [from, to] = [textOf(record, 'account'), textOf(record, 'into')];
    return [{ ...base, from, to, asset: 'XLM', stroops, part: 0, by: 'payment' }];
  }
  if (type !== 'payment' && !type.startsWith('path_payment')) return [];
  return [{ ...base, ...readTransfer(record, usdcIssuer), part: 0, by: 'payment' }];
}

/** A muxed destination comes in addition, as `to_muxed`; `to` is always the account itself. */
function readTransfer(
  line: Fields,
  usdcIssuer: string,
): Pick<NetworkPayment, 'from' | 'to' | 'asset' | 'stroops'> {
  const asset = assetOf(line, usdcIssuer);
  return {
    from: textOf(line, 'from'),
    to: textOf(line, 'to'),
    asset,
    stroops: asset === 'other' ? 0n : neededStroops(textOf(line, 'amount')),
  };
}

function assetOf(line: Fields, usdcIssuer: string): NetworkPayment['asset'] {
  if (line['asset_type'] === 'native') return 'XLM';
  return isUsdc(line, usdcIssuer) ? 'USDC' : 'other';
}

/** The code alone is not the asset: anyone can issue something called USDC. */
export function isUsdc(line: Fields, usdcIssuer: string): boolean {
  return line['asset_code'] === 'USDC' && line['asset_issuer'] === usdcIssuer;
}

/** Seven places, exactly; the only function that turns the network's text into a number. */
export function readStroops(text: string): bigint | undefined {
  const [, whole, part = ''] = /^(\d{1,12})(?:\.(\d{1,7}))?$/.exec(text) ?? [];
  return whole === undefined ? undefined : BigInt(whole + part.padEnd(7, '0'));
}

function neededStroops(text: string): bigint {
  const stroops = readStroops(text);
  if (stroops === undefined) throw new UnreadableRecord('Horizon returned an invalid amount');
  return stroops;
}

function neededText(record: Fields, name: string): string {
  const text = textOf(record, name);
  if (text === '') throw new UnreadableRecord(`Horizon returned a payment without ${name}`);
  return text;
}

/** Undefined when it is not a page at all. */
export function recordsOf(json: unknown): Fields[] | undefined {
  const records = (json as { _embedded?: { records?: unknown } } | null)?._embedded?.records;
  return Array.isArray(records) ? (records as Fields[]) : undefined;
}

export function textOf(value: unknown, name: string): string {
  const field = (value as Fields | null | undefined)?.[name];
  return typeof field === 'string' ? field : '';
}
