//! Sums up an address's payments on the network, and attributes each to us or to an external payer.
import type { UserId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { read, type Transactor, type Tx } from '../../platform/database/transact.ts';
import type { LedgerNetwork, NetworkPayment } from '../../providers/network/ledger-network.ts';
import { done, type Outcome } from '../../providers/outcome.ts';
import type { Asset, Count } from './wallet-mirror.ts';

export interface NetworkDeps extends Transactor {
  readonly network: LedgerNetwork;
}

export interface MirroredWallet {
  readonly userId: UserId;
  readonly address: string;
}

export interface Tally {
  /** The sum of everything up to the cursor. */
  readonly counted: bigint;
  readonly cursor: string | null;
  /** After the cursor: the sum that is ours, and the uncredited sum from external payers. */
  readonly known: bigint;
  readonly unknown: bigint;
  /** Payments out of the address that were not signed here. */
  readonly strays: readonly NetworkPayment[];
  /** False when the list was too long for one pass: the next one continues from the cursor. */
  readonly isWhole: boolean;
}

const PAGE = 200;
const PAGES_MAX = 50;

/** Continues from the last counted position. The cursor stays before an uncredited deposit. */
export async function tallyPayments(
  app: NetworkDeps,
  call: Call,
  wallet: MirroredWallet,
  asset: Asset,
  { counted, cursor }: Pick<Count, 'counted' | 'cursor'>,
): Promise<Outcome<Tally>> {
  const tally = new RunningTally(counted, cursor);
  let position = cursor;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const from = position === null ? {} : { cursor: position };
    const found = await app.network.payments(wallet.address, {
      ...from,
      limit: PAGE,
      order: 'asc',
    });
    if (found.kind !== 'done') return found;
    if (found.value.length === 0) return done(tally.result(true));
    const isOurs = await read(app, call, (tx) => ownershipOf(tx, wallet, found.value));
    for (const operation of operationsOf(found.value)) tally.add(operation, wallet, asset, isOurs);
    position = found.value.at(-1)?.cursor ?? position;
  }
  return done(tally.result(false));
}

class RunningTally {
  #counted: bigint;
  #cursor: string | null;
  #known = 0n;
  #unknown = 0n;
  #isBehind = false;
  readonly #strays: NetworkPayment[] = [];

  constructor(counted: bigint, cursor: string | null) {
    this.#counted = counted;
    this.#cursor = cursor;
  }

  /** All transfers of one operation. */
  add(
    transfers: readonly NetworkPayment[],
    { address }: MirroredWallet,
    asset: Asset,
    isOurs: (payment: NetworkPayment) => boolean,
  ): void {
    let ours = 0n;
    let strange = 0n;
    for (const each of transfers) {
      if (each.asset !== asset) continue;
      if (each.from === address) ours -= each.stroops;
      if (each.from === address && !isOurs(each)) this.#strays.push(each);
      if (each.to !== address) continue;
      if (isOurs(each)) ours += each.stroops;
      else strange += each.stroops;
    }
    if (strange > 0n) this.#isBehind = true;
    this.#unknown += strange;
    if (this.#isBehind) {
      this.#known += ours;
      return;
    }
    this.#counted += ours;
    this.#cursor = transfers[0]?.cursor ?? this.#cursor;
  }

  result(isWhole: boolean): Tally {
    return {
      counted: this.#counted,
      cursor: this.#cursor,
      known: this.#known,
      unknown: this.#unknown,
      strays: this.#strays,
      isWhole,
    };
  }
}

/** A contract can make many transfers in one operation. */
function operationsOf(payments: readonly NetworkPayment[]): NetworkPayment[][] {
  const operations = new Map<string, NetworkPayment[]>();
  for (const each of payments) {
    operations.set(each.operationId, [...(operations.get(each.operationId) ?? []), each]);
  }
  return [...operations.values()];
}

/**
 * Ours are: transactions signed here, all payments by our wallets and contracts, and credited
 * deposits. A payment out of the address was signed here, or it is a stray: its source being our
 * wallet proves nothing.
 */
async function ownershipOf(
  tx: Tx,
  { userId, address }: MirroredWallet,
  payments: readonly NetworkPayment[],
): Promise<(payment: NetworkPayment) => boolean> {
  const signed = await listOwnTransactions(
    tx,
    payments.map(({ hash }) => hash),
  );
  const arrived = payments.filter(({ to }) => to === address);
  const senders = await listOwnSenders(
    tx,
    arrived.map(({ from }) => from),
  );
  const credited = await listCredited(
    tx,
    userId,
    arrived.map(({ operationId }) => operationId),
  );
  return ({ hash, from, to, operationId }) =>
    signed.has(hash) || (to === address && (senders.has(from) || credited.has(operationId)));
}

async function listOwnTransactions(
  tx: Tx,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ hash: string }>(sql`
    select work.own_transactions(${[...new Set(hashes)]}::text[]) as hash`);
  return new Set(rows.map(({ hash }) => hash));
}

/** Our wallets pay only for us, though an external account may have wrapped the transaction. */
async function listOwnSenders(tx: Tx, senders: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ address: string }>(sql`
    select work.own_addresses(${[...new Set(senders)]}::text[]) as address`);
  return new Set(rows.map(({ address }) => address));
}

async function listCredited(
  tx: Tx,
  userId: UserId,
  operationIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ id: string }>(sql`
    select operation_id as id from deposit
    where marketplace_id = ${tx.marketplace} and user_id = ${userId}
      and operation_id = any (${[...operationIds]}::text[])`);
  return new Set(rows.map(({ id }) => id));
}

/** The unexplained excess that `sync` has posted to the user: it belongs to the user now. */
export async function postedExcess(tx: Tx, userId: UserId, asset: Asset): Promise<bigint> {
  const [row] = await tx.query<{ stroops: string }>(sql`
    select coalesce(sum(amount::numeric * 100000 + dust_stroops), 0)::text as stroops
    from balance_difference
    where marketplace_id = ${tx.marketplace} and user_id = ${userId} and asset = ${asset}
      and unexplained_stroops > 0`);
  return BigInt(row?.stroops ?? 0);
}
