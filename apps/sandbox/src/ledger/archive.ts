//! Finds included transactions: by hash, by account, or by their order.
import type { Store } from '../store.ts';
import {
  type Movement,
  operationToken,
  participantsOf,
  type TransactionRecord,
  transactionToken,
} from './record.ts';

export const TRANSACTIONS = 'ledger.transaction';

/** Something at a place in the order. */
export interface Sequenced {
  readonly token: bigint;
  readonly record: TransactionRecord;
}

export interface SequencedMovement extends Sequenced {
  readonly movement: Movement;
}

export interface PageQuery {
  /** Only what touches this account. */
  readonly account?: string | undefined;
  /** After this token in the chosen order. */
  readonly cursor?: bigint | undefined;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** A list in order, as a whole and by account. */
class OrderedIndex<T extends Sequenced> {
  readonly #all: T[] = [];
  readonly #byAccount = new Map<string, T[]>();

  add(item: T, accounts: readonly string[]): void {
    this.#all.push(item);
    for (const account of new Set(accounts)) {
      const list = this.#byAccount.get(account);
      if (list === undefined) this.#byAccount.set(account, [item]);
      else list.push(item);
    }
  }

  page({ account, cursor, order, limit }: PageQuery): T[] {
    const list = account === undefined ? this.#all : (this.#byAccount.get(account) ?? []);
    if (order === 'asc') {
      const from = cursor === undefined ? 0 : firstAfter(list, cursor);
      return list.slice(from, from + limit);
    }
    const to = cursor === undefined ? list.length : firstAfter(list, cursor - 1n);
    return list.slice(Math.max(0, to - limit), to).reverse();
  }
}

function firstAfter(list: readonly Sequenced[], token: bigint): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] as Sequenced).token <= token) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Kept in memory beside the store; made again from it at the start. */
export class Archive {
  readonly #byHash = new Map<string, TransactionRecord>();
  readonly #transactions = new OrderedIndex<Sequenced>();
  readonly #movements = new OrderedIndex<SequencedMovement>();

  constructor(store: Store) {
    for (const record of store.all<TransactionRecord>(TRANSACTIONS)) this.add(record);
  }

  add(record: TransactionRecord): void {
    this.#byHash.set(record.hash, record);
    if (record.innerHash !== undefined) this.#byHash.set(record.innerHash, record);
    const token = BigInt(transactionToken(record.ledger));
    this.#transactions.add({ token, record }, record.participants);
    for (const movement of record.movements) {
      const position = BigInt(operationToken(record.ledger, movement.index));
      this.#movements.add({ token: position, record, movement }, participantsOf(movement));
    }
  }

  /** By its own hash, or by the hash of what it carries. */
  find(hash: string): TransactionRecord | undefined {
    return this.#byHash.get(hash);
  }

  transactions(query: PageQuery): Sequenced[] {
    return this.#transactions.page(query);
  }

  payments(query: PageQuery): SequencedMovement[] {
    return this.#movements.page(query);
  }

  /** All of one transaction; it is never more than a page. */
  paymentsOf(record: TransactionRecord): SequencedMovement[] {
    return record.movements.map((movement) => {
      const token = BigInt(operationToken(record.ledger, movement.index));
      return { token, record, movement };
    });
  }
}
