//! Decisions of operators without a second approver: the only SQL that writes them. The sum of a
//! day counts against the approval limit, by operator and by recipient.
import { DECIDED_ALONE_HOURS, isAboveLimit } from '@holdfast/contract/limits';
import { instantText } from '@holdfast/kernel/clock';
import type { UserId } from '@holdfast/kernel/ids';
import type { Money } from '@holdfast/kernel/money';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { SecondApproverNeeded } from '../../platform/second-approver.ts';

/** A user who receives money by a decision. */
export interface Recipient {
  readonly userId: UserId;
  readonly amount: Money;
}

export interface LoneDecision {
  /** The endpoint that was called. */
  readonly action: string;
  readonly resourceId: string;
  readonly recipients: readonly Recipient[];
}

/**
 * Runs in the transaction of the decision, which is serializable: of concurrent decisions, the
 * later ones run again and find the earlier ones in their sum.
 */
export async function recordDecidedAlone(
  tx: Tx,
  { action, resourceId, recipients }: LoneDecision,
  limitMinor: bigint | null,
): Promise<void> {
  const { id: operatorId } = tx.actor;
  const [userIds, amounts] = [recipients.map((r) => r.userId), recipients.map((r) => r.amount)];
  await tx.query(sql`
    insert into decided_alone (marketplace_id, operator_id, user_id, action, resource_id, amount,
      currency, decided_at)
    select ${tx.marketplace}, ${operatorId}, each.user_id, ${action}, ${resourceId}, each.amount,
      each.currency, ${instantText(tx.now)}
    from unnest(${userIds}::text[], ${amounts.map(({ minor }) => String(minor))}::bigint[],
      ${amounts.map(({ currency }) => currency)}::text[]) as each (user_id, amount, currency)`);
  const since = instantText(tx.now - DECIDED_ALONE_HOURS * 3_600_000);
  const [row] = await tx.query<{ total: string }>(sql`
    with recent as (
      select operator_id, user_id, amount from decided_alone
      where marketplace_id = ${tx.marketplace} and decided_at > ${since}
        and (operator_id = ${operatorId} or user_id = any (${userIds})))
    select greatest(
      (select sum(amount) from recent where operator_id = ${operatorId}),
      (select max(received.amount) from (
        select sum(amount) as amount from recent
        where user_id = any (${userIds}) group by user_id) received))::text as total`);
  if (isAboveLimit(BigInt((row as { total: string }).total), limitMinor))
    throw new SecondApproverNeeded();
}
