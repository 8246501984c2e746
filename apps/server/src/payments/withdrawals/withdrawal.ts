//! Withdrawals: the only SQL that writes them.
import { refuse } from '@holdfast/contract/errors';
import { canMove, terminalStates } from '@holdfast/contract/machine';
import {
  type WithdrawalMove,
  type WithdrawalState,
  withdrawalMachine,
} from '@holdfast/contract/machines/withdrawal-machine';
import type { WithdrawalView } from '@holdfast/contract/records/payment-records';
import { assert } from '@holdfast/kernel/assert';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import type { UserId, WithdrawalId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import type { Tables } from '../../platform/database/generated/tables.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

export interface Destination {
  readonly type: WithdrawalView['destination']['type'];
  readonly ref: string;
  readonly memo: string | null;
}

/** The terms that were requested; they never change. */
export interface WithdrawalTerms {
  readonly id: WithdrawalId;
  readonly userId: UserId;
  readonly amount: Money;
  readonly currency: Currency;
  readonly destination: Destination;
}

export interface Withdrawal extends WithdrawalTerms {
  readonly status: WithdrawalState;
  readonly providerPayoutId: string | null;
  readonly transactionHash: string | null;
  readonly actionRequired: string | null;
  readonly actionUrl: string | null;
  readonly failureReason: string | null;
  readonly errorCode: string | null;
  /** By the provider's clock: since when its last reported status holds. */
  readonly observedAt: Instant | null;
  /** Null when no further change is expected of the provider. */
  readonly nextPollAt: Instant | null;
  /** When it is canceled, unless it was committed before. */
  readonly expiresAt: Instant;
  readonly committedAt: Instant | null;
  readonly completedAt: Instant | null;
  /** What was paid out and came back. */
  readonly returned: bigint;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

type WithdrawalRow = Row<
  'withdrawal',
  Exclude<keyof Tables['withdrawal'], 'marketplace_id' | 'paid'>,
  { id: WithdrawalId; user_id: UserId; currency: Currency }
>;

const ENDS: readonly WithdrawalState[] = terminalStates(withdrawalMachine);

export function hasEnded({ status }: Pick<Withdrawal, 'status'>): boolean {
  return ENDS.includes(status);
}

/** Nothing is read first, so that withdrawals created at the same time do not conflict. */
export async function insertWithdrawal(
  tx: Tx,
  terms: WithdrawalTerms,
  expiresAt: Instant,
): Promise<void> {
  const { id, userId, amount, currency, destination } = terms;
  const now = instantText(tx.now);
  await tx.query(sql`
    insert into withdrawal (marketplace_id, id, user_id, status, amount, currency, destination_type,
      destination_ref, memo, expires_at, created_at, updated_at)
    values (${tx.marketplace}, ${id}, ${userId}, ${withdrawalMachine.initial}, ${amount.minor},
      ${currency}, ${destination.type}, ${destination.ref}, ${destination.memo},
      ${instantText(expiresAt)}, ${now}, ${now})`);
}

/** Locks the withdrawal until the transaction ends; refuses where there is none. */
export async function lockWithdrawal(tx: Tx, id: WithdrawalId): Promise<Withdrawal> {
  await tx.query(sql`select set_config('enable_seqscan', 'off', true)`);
  const [row] = await tx.query<WithdrawalRow>(sql`
    select id, user_id, status, amount, currency, destination_type, destination_ref, memo,
      provider_payout_id, transaction_hash, action_required, action_url, failure_reason, error_code,
      observed_at, next_poll_at, expires_at, committed_at, completed_at, returned, created_at,
      updated_at
    from withdrawal where marketplace_id = ${tx.marketplace} and id = ${id}
    for no key update`);
  return row === undefined
    ? refuse('WITHDRAWAL_NOT_FOUND', { withdrawalId: id })
    : readWithdrawal(row);
}

export async function findWithdrawal(tx: Tx, id: WithdrawalId): Promise<Withdrawal | undefined> {
  const [row] = await findWithdrawals(tx, [id]);
  return row;
}

/** In the order of the ids; unknown ids are left out. For reading only. */
export async function findWithdrawals(tx: Tx, ids: readonly WithdrawalId[]): Promise<Withdrawal[]> {
  const rows = await tx.query<WithdrawalRow>(sql`
    select w.id, w.user_id, w.status, w.amount, w.currency, w.destination_type, w.destination_ref,
      w.memo, w.provider_payout_id, w.transaction_hash, w.action_required, w.action_url,
      w.failure_reason, w.error_code, w.observed_at, w.next_poll_at, w.expires_at, w.committed_at,
      w.completed_at, w.returned, w.created_at, w.updated_at
    from unnest(${ids}::text[]) with ordinality as wanted (id, ordinal)
    join withdrawal w on w.marketplace_id = ${tx.marketplace} and w.id = wanted.id
    order by wanted.ordinal`);
  return rows.map(readWithdrawal);
}

/** The facts that a transition stores. Absent ones stay unchanged. */
export interface MoveFacts {
  readonly providerPayoutId?: string | null;
  readonly transactionHash?: string;
  readonly actionRequired?: string;
  readonly failureReason?: string;
  readonly errorCode?: string | null;
  readonly observedAt?: Instant | null;
  /** Null: the provider is not polled again. */
  readonly nextPollAt: Instant | null;
}

/** The only statement that changes a status. The caller has locked and checked the withdrawal. */
export async function moveWithdrawal(
  tx: Tx,
  withdrawal: Withdrawal,
  move: WithdrawalMove,
  facts: MoveFacts,
): Promise<Withdrawal> {
  const { from, to } = withdrawalMachine.moves[move];
  const now = instantText(tx.now);
  const { providerPayoutId = null, transactionHash = null, nextPollAt } = facts;
  const {
    failureReason = null,
    errorCode = null,
    observedAt = null,
    actionRequired = null,
  } = facts;
  const [row] = await tx.query<WithdrawalRow>(sql`
    update withdrawal set status = ${to},
      provider_payout_id = coalesce(provider_payout_id, ${providerPayoutId}),
      transaction_hash = coalesce(${transactionHash}, transaction_hash),
      action_required = ${actionRequired}, action_url = null,
      failure_reason = ${failureReason}, error_code = ${errorCode},
      observed_at = coalesce(${instantText(observedAt)}, observed_at),
      next_poll_at = ${instantText(nextPollAt)},
      committed_at = case when ${move === 'commit'} then ${now} else committed_at end,
      completed_at = case when ${move === 'complete'} then ${now}::timestamptz end,
      updated_at = ${now}
    where marketplace_id = ${tx.marketplace} and id = ${withdrawal.id} and status = any (${from})
    returning id, user_id, status, amount, currency, destination_type, destination_ref, memo,
      provider_payout_id, transaction_hash, action_required, action_url, failure_reason, error_code,
      observed_at, next_poll_at, expires_at, committed_at, completed_at, returned, created_at,
      updated_at`);
  assert(row !== undefined, `a withdrawal that moves by ${move} was locked and checked`);
  return readWithdrawal(row);
}

export function canMoveBy({ status }: Pick<Withdrawal, 'status'>, move: WithdrawalMove): boolean {
  return canMove(withdrawalMachine, status, move);
}

/** Sets only when the provider is polled next. */
export async function setNextPollAt(
  tx: Tx,
  { id }: Pick<Withdrawal, 'id'>,
  nextPollAt: Instant | null,
): Promise<void> {
  await tx.query(sql`
    update withdrawal set next_poll_at = ${instantText(nextPollAt)}
    where marketplace_id = ${tx.marketplace} and id = ${id}`);
}

function readWithdrawal(row: WithdrawalRow): Withdrawal {
  return {
    id: row.id,
    userId: row.user_id,
    status: row.status,
    amount: Money.ofMinor(BigInt(row.amount), row.currency),
    currency: row.currency,
    destination: { type: row.destination_type, ref: row.destination_ref, memo: row.memo },
    providerPayoutId: row.provider_payout_id,
    transactionHash: row.transaction_hash,
    actionRequired: row.action_required,
    actionUrl: row.action_url,
    failureReason: row.failure_reason,
    errorCode: row.error_code,
    observedAt: row.observed_at,
    nextPollAt: row.next_poll_at,
    expiresAt: row.expires_at,
    committedAt: row.committed_at,
    completedAt: row.completed_at,
    returned: BigInt(row.returned),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
