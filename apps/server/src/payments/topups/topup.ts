//! Top-ups: the only SQL that writes them.
import { refuse } from '@holdfast/contract/errors';
import { terminalStates } from '@holdfast/contract/machine';
import {
  type TopupMove,
  type TopupState,
  topupMachine,
} from '@holdfast/contract/machines/topup-machine';
import { assert } from '@holdfast/kernel/assert';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import type { TopupId, UserId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import type { Terms } from '../../access/marketplaces/terms.ts';
import type { Tables } from '../../platform/database/generated/tables.ts';
import { type CreatedFilter, idRange } from '../../platform/database/id-range.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

export type FeePayer = Terms['payinFee'];

/** The terms that were requested; they never change. */
export interface TopupTerms {
  readonly id: TopupId;
  readonly userId: UserId;
  readonly amount: Money;
  readonly currency: Currency;
  readonly description: string | null;
  readonly returnUrl: string | null;
  readonly cancelUrl: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: Instant;
}

export interface Topup extends TopupTerms {
  /** Who bears the payment provider's fee, by the marketplace's terms at its creation. */
  readonly feePaidBy: FeePayer;
  readonly status: TopupState;
  readonly providerPayinId: string | null;
  readonly confirmationUri: string | null;
  readonly failureReason: string | null;
  readonly errorCode: string | null;
  /** The amount that the provider reports as received, and since when. */
  readonly received: Money | null;
  readonly receivedAt: Instant | null;
  /** The provider's fee as its record shows it; null before that record was read. */
  readonly fee: bigint | null;
  /** What the payer's bank has taken back of the credited amount. */
  readonly reversed: bigint;
  /** The amounts that the books credited and put into suspense. */
  readonly credited: bigint;
  readonly suspended: bigint;
  readonly suspendedCurrency: Currency | null;
  readonly updatedAt: Instant;
}

type TopupRow = Row<
  'topup',
  Exclude<keyof Tables['topup'], 'marketplace_id'>,
  {
    id: TopupId;
    user_id: UserId;
    metadata: Record<string, unknown>;
    received_currency: Currency;
    suspended_currency: Currency;
    fee_paid_by: FeePayer;
  }
>;

/** Stored under our own id at once: the provider may notify us before it has replied. */
export async function insertTopup(tx: Tx, terms: TopupTerms, feePaidBy: FeePayer): Promise<void> {
  const now = instantText(terms.createdAt);
  await tx.query(sql`
    insert into topup (marketplace_id, id, status, user_id, amount, currency, description,
      return_url, cancel_url, metadata, fee_paid_by, created_at, updated_at)
    values (${tx.marketplace}, ${terms.id}, ${topupMachine.initial}, ${terms.userId},
      ${terms.amount.minor}, ${terms.currency}, ${terms.description}, ${terms.returnUrl},
      ${terms.cancelUrl}, ${JSON.stringify(terms.metadata)}, ${feePaidBy}, ${now}, ${now})`);
  await namePayin(tx, terms.id, terms.id);
}

/**
 * Stores one of the two names that the provider uses for it. The first top-up with a name keeps it.
 */
async function namePayin(tx: Tx, id: TopupId, name: string): Promise<void> {
  await tx.query(sql`
    insert into payin_reference (name, marketplace_id, topup_id) values (${name}, ${tx.marketplace}, ${id})
    on conflict do nothing`);
}

/** Locks the top-up until the transaction ends; refuses where there is none. */
export async function lockTopup(tx: Tx, id: TopupId): Promise<Topup> {
  const [row] = await tx.query<TopupRow>(sql`
    select id, status, user_id, amount, currency, description, return_url, cancel_url, metadata,
      provider_payin_id, confirmation_uri, failure_reason, error_code, received, received_currency,
      received_at, fee, fee_paid_by, reversed, credited, suspended, suspended_currency, created_at, updated_at
    from topup where marketplace_id = ${tx.marketplace} and id = ${id} for no key update`);
  return row === undefined ? refuse('TOPUP_NOT_FOUND', { topupId: id }) : readTopup(row);
}

export async function findTopup(tx: Tx, id: TopupId): Promise<Topup | undefined> {
  return (await findTopups(tx, [id]))[0];
}

/** In the order of the ids; unknown ids are left out. For reading only. */
async function findTopups(tx: Tx, ids: readonly TopupId[]): Promise<Topup[]> {
  const rows = await tx.query<TopupRow>(sql`
    select t.id, t.status, t.user_id, t.amount, t.currency, t.description, t.return_url,
      t.cancel_url, t.metadata, t.provider_payin_id, t.confirmation_uri, t.failure_reason,
      t.error_code, t.received, t.received_currency, t.received_at, t.credited, t.suspended,
      t.suspended_currency, t.fee, t.fee_paid_by, t.reversed, t.created_at, t.updated_at
    from unnest(${ids}::text[]) with ordinality as wanted (id, ordinal)
    join topup t on t.marketplace_id = ${tx.marketplace} and t.id = wanted.id
    order by wanted.ordinal`);
  return rows.map(readTopup);
}

export interface TopupFilter extends CreatedFilter {
  readonly status?: TopupState;
  readonly userId?: UserId;
}

const ENDED: ReadonlySet<TopupState> = new Set(terminalStates(topupMachine));

/** Newest first. Ids start with their time, so the time filters are a range of the key. */
export async function listTopupRows(
  tx: Tx,
  filter: TopupFilter,
  after: string | null,
  count: number,
): Promise<Topup[]> {
  const { from, below } = idRange('topup', filter, after);
  const rows = await listTopupIds(tx, filter, from, below, count);
  return rows.length === 0
    ? []
    : findTopups(
        tx,
        rows.map(({ id }) => id),
      );
}

/** The filter that an index serves has a statement of its own. */
function listTopupIds(
  tx: Tx,
  { status = null, userId = null }: { status?: TopupState | null; userId?: UserId | null },
  from: string,
  below: string,
  count: number,
): Promise<Row<'topup', 'id', { id: TopupId }>[]> {
  if (userId !== null)
    return tx.query(sql`
      select id from topup
      where user_id = ${userId} and id >= ${from} and id < ${below}
        and marketplace_id = ${tx.marketplace} and (${status}::text is null or status = ${status})
      order by id desc limit ${count}`);
  // Top-ups that have not ended are polled, and are few beside those that have.
  if (status !== null && !ENDED.has(status))
    return tx.query(sql`
      select t.id from topup_poll l
      join topup t on t.marketplace_id = l.marketplace_id and t.id = l.topup_id
      where l.marketplace_id = ${tx.marketplace} and l.topup_id >= ${from}
        and l.topup_id < ${below} and t.status = ${status}
      order by l.topup_id desc limit ${count}`);
  return tx.query(sql`
    select id from topup
    where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${below}
      and (${status}::text is null or status = ${status})
    order by id desc limit ${count}`);
}

export interface Failure {
  readonly reason: string;
  readonly errorCode: string | null;
}

/** The only statement that changes a status. The caller has locked and checked the top-up. */
export async function moveTopup(
  tx: Tx,
  topup: Topup,
  move: TopupMove,
  failure?: Failure,
): Promise<Topup> {
  const { from, to } = topupMachine.moves[move];
  const { reason: failureReason = null, errorCode = null } = failure ?? {};
  const moved = await tx.query(sql`
    update topup set status = ${to}, failure_reason = ${failureReason}, error_code = ${errorCode},
      updated_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and id = ${topup.id} and status = any (${from})
    returning id`);
  assert(moved.length === 1, `a top-up that moves by ${move} was locked and checked`);
  return { ...topup, status: to, failureReason, errorCode, updatedAt: tx.now };
}

/** The provider's id and the address of its payment page, once known. Neither changes later. */
export async function recordPayin(
  tx: Tx,
  topup: Topup,
  known: { readonly payinId: string | null; readonly checkoutUrl: string | null },
): Promise<Topup> {
  const providerPayinId = topup.providerPayinId ?? known.payinId;
  const confirmationUri = topup.confirmationUri ?? known.checkoutUrl;
  const isSame =
    providerPayinId === topup.providerPayinId && confirmationUri === topup.confirmationUri;
  if (isSame) return topup;
  await tx.query(sql`
    update topup set provider_payin_id = ${providerPayinId}, confirmation_uri = ${confirmationUri},
      updated_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and id = ${topup.id}`);
  if (providerPayinId !== null) await namePayin(tx, topup.id, providerPayinId);
  return { ...topup, providerPayinId, confirmationUri, updatedAt: tx.now };
}

/**
 * Records the amount that the provider reports as received; the books derive their postings from
 * it.
 */
export async function recordReceived(tx: Tx, topup: Topup, received: Money): Promise<Topup> {
  await tx.query(sql`
    update topup set received = ${received.minor}, received_currency = ${received.currency},
      received_at = ${instantText(tx.now)}, updated_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and id = ${topup.id}`);
  return { ...topup, received, receivedAt: tx.now, updatedAt: tx.now };
}

/** The provider's fee, as its record shows it; the books derive their postings from it. */
export async function recordFee(tx: Tx, topup: Topup, fee: bigint): Promise<Topup> {
  await tx.query(sql`
    update topup set fee = ${fee}, updated_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and id = ${topup.id}`);
  return { ...topup, fee, updatedAt: tx.now };
}

/** What the payer's bank has taken back; the books derive their postings from it. */
export async function recordReversed(tx: Tx, topup: Topup, reversed: bigint): Promise<Topup> {
  await tx.query(sql`
    update topup set reversed = ${reversed}, updated_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and id = ${topup.id}`);
  return { ...topup, reversed, updatedAt: tx.now };
}

export function hasEnded({ status }: Pick<Topup, 'status'>): boolean {
  return ENDED.has(status);
}

function readTopup(row: TopupRow): Topup {
  const { currency, received, received_currency: receivedCurrency } = row;
  return {
    id: row.id,
    status: row.status,
    userId: row.user_id,
    amount: Money.ofMinor(BigInt(row.amount), currency),
    currency,
    description: row.description,
    returnUrl: row.return_url,
    cancelUrl: row.cancel_url,
    metadata: row.metadata,
    feePaidBy: row.fee_paid_by,
    providerPayinId: row.provider_payin_id,
    confirmationUri: row.confirmation_uri,
    failureReason: row.failure_reason,
    errorCode: row.error_code,
    received:
      received === null || receivedCurrency === null
        ? null
        : Money.ofMinor(BigInt(received), receivedCurrency),
    receivedAt: row.received_at,
    reversed: BigInt(row.reversed),
    fee: row.fee === null ? null : BigInt(row.fee),
    credited: BigInt(row.credited),
    suspended: BigInt(row.suspended),
    suspendedCurrency: row.suspended_currency,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
