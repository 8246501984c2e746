//! Destinations of users' payouts, and since when each is known: the only SQL that writes them.
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import type { UserId, WithdrawalId } from '@holdfast/kernel/ids';
import type { Money } from '@holdfast/kernel/money';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { fingerprint } from '../../platform/fingerprint.ts';

/** The fields of a withdrawal that the limits need. */
export interface Payout {
  readonly id: WithdrawalId;
  readonly userId: UserId;
  readonly amount: Money;
  readonly currency: Currency;
  readonly destination: {
    readonly type: string;
    readonly ref: string;
    readonly memo: string | null;
  };
}

const HOUR_MS = 3_600_000;

/** A memo names another recipient at the same address. Email addresses differ by letters alone. */
function fingerprintOf({ destination: { type, ref, memo } }: Payout): string {
  const name = type === 'payment_account' ? ref.toLowerCase() : ref;
  return fingerprint(JSON.stringify([type, name, memo]));
}

/** Starts the waiting time, unless the user has used the destination before. */
export async function recordDestination(tx: Tx, payout: Payout): Promise<void> {
  await tx.query(sql`
    insert into payout_destination (marketplace_id, user_id, fingerprint, first_used_at)
    values (${tx.marketplace}, ${payout.userId}, ${fingerprintOf(payout)}, ${instantText(tx.now)})
    on conflict do nothing`);
}

/** When its waiting time ends; undefined where it is over, or two operators trusted it. */
export async function findWaitEnd(
  tx: Tx,
  payout: Payout & { readonly createdAt: Instant },
  hours: number,
): Promise<Instant | undefined> {
  const [row] = await tx.query<Row<'payout_destination', 'first_used_at' | 'trusted_at'>>(sql`
    select first_used_at, trusted_at from payout_destination
    where marketplace_id = ${tx.marketplace} and user_id = ${payout.userId}
      and fingerprint = ${fingerprintOf(payout)}`);
  if (row !== undefined && row.trusted_at !== null) return undefined;
  // A build from before the waiting time has written no row.
  const end = (row?.first_used_at ?? payout.createdAt) + hours * HOUR_MS;
  return tx.now < end ? end : undefined;
}

/** It does not wait any more for this user. */
export async function trustDestination(tx: Tx, payout: Payout): Promise<void> {
  const now = instantText(tx.now);
  await tx.query(sql`
    insert into payout_destination (marketplace_id, user_id, fingerprint, first_used_at, trusted_at)
    values (${tx.marketplace}, ${payout.userId}, ${fingerprintOf(payout)}, ${now}, ${now})
    on conflict (marketplace_id, user_id, fingerprint) do update set trusted_at = ${now}`);
}
