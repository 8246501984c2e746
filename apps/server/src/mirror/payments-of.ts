//! Adds up what an address sent and received on the network, and tells apart whose doing it was.
import type { UserId } from '@holdfast/kernel/ids';
import type { Call } from '../platform/call.ts';
import { sql } from '../platform/sql.ts';
import { read, type Transactor, type Tx } from '../platform/transact.ts';
import type { LedgerNetwork, NetworkPayment } from '../providers/ledger-network.ts';
import { done, type Outcome } from '../providers/outcome.ts';
import type { Asset, Count } from './wallet-mirror.ts';

export interface Looker extends Transactor {
  readonly network: LedgerNetwork;
}

export interface MirroredWallet {
  readonly userId: UserId;
  readonly address: string;
}

export interface Tally {
  /** Everything up to the cursor. */
  readonly counted: bigint;
  readonly cursor: string | null;
  /** What is ours of all that follows, and what came from strangers and is not credited yet. */
  readonly known: bigint;
  readonly unknown: bigint;
  /** Payments out of the address that nobody here has signed. */
  readonly strays: readonly NetworkPayment[];
  /** False when the list was too long for one look: the next one goes on from the cursor. */
  readonly isWhole: boolean;
}

const PAGE = 200;
const PAGES_MAX = 50;

/** From where it was counted up to before. The cursor stays in front of an uncredited deposit. */
export async function tallyPayments(
  app: Looker,
  call: Call,
  wallet: MirroredWallet,
  asset: Asset,
  { counted, cursor }: Pick<Count, 'counted' | 'cursor'>,
): Promise<Outcome<Tally>> {
  const tally = new RunningTally(counted, cursor);
  let place = cursor;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const from = place === null ? {} : { cursor: place };
    const found = await app.network.payments(wallet.address, {
      ...from,
      limit: PAGE,
      order: 'asc',
    });
    if (found.kind !== 'done') return found;
    if (found.value.length === 0) return done(tally.result(true));
    const whose = await read(app, call, (tx) => whoseDoing(tx, wallet, found.value));
    for (const operation of operationsOf(found.value)) tally.add(operation, wallet, asset, whose);
    place = found.value.at(-1)?.cursor ?? place;
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
 * Ours are: transactions that were signed here, what wallets and contracts of ours paid, whoever
 * had them pay it, and deposits that are credited. What left the address was signed here, or it is
 * a stray: that it left from a wallet of ours says nothing.
 */
async function whoseDoing(
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

/** A wallet of ours pays for nobody else, though a stranger may have wrapped its transaction. */
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

/** What `sync` has posted to the user of an excess that nothing explained: it is the user's now. */
export async function postedExcess(tx: Tx, userId: UserId, asset: Asset): Promise<bigint> {
  const [row] = await tx.query<{ stroops: string }>(sql`
    select coalesce(sum(amount::numeric * 100000 + dust_stroops), 0)::text as stroops
    from balance_difference
    where marketplace_id = ${tx.marketplace} and user_id = ${userId} and asset = ${asset}
      and unexplained_stroops > 0`);
  return BigInt(row?.stroops ?? 0);
}
