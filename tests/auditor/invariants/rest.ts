//! I21: nothing is in flight. Checked only with `--converged`, when all faults are over.
import { find, type Invariant, skip } from '../invariant.ts';

const CLAIM = 'no operation is open, no order in flight, no event or notification pending';

/** Everything that has not ended, as kind, marketplace, id and status. */
export const MOVING = `
  select 'operation' as kind, marketplace_id, id, status from operation
    where status in ('RUNNING', 'ESCALATED')
  union all select 'order', marketplace_id, id, status from orders
    where status in ('ESCROW_CREATING', 'RELEASE_REQUESTED', 'RELEASED', 'REFUND_REQUESTED', 'REFUNDED')
  union all select 'escrow', marketplace_id, id, status from escrow
    where status in ('CREATING', 'FUNDING')
  union all select 'decision', marketplace_id, id, status from dispute
    where decision is not null and resolved_at is null
  -- Who waits for a person, or for a commit, may wait for ever.
  union all select 'top-up', marketplace_id, id, status from topup
    where status in ('TOPUP_CREATED', 'TOPUP_PROCESSING')
  union all select 'withdrawal', marketplace_id, id, status from withdrawal
    where status in ('WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING')
  -- A final status from a notification is polled once more.
  union all select 'poll', marketplace_id, id, status from withdrawal where next_poll_at is not null
    and status in ('WITHDRAWAL_COMPLETED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED')
  union all select 'poll', topup.marketplace_id, topup.id, topup.status from topup join topup_poll look
    on look.marketplace_id = topup.marketplace_id and look.topup_id = topup.id
    where topup.status in ('TOPUP_SUCCEEDED', 'TOPUP_FAILED', 'TOPUP_CANCELED')
  union all select 'envelope', marketplace_id, purpose, state from envelope where state = 'OPEN'
  union all select 'transfer', marketplace_id, batch_id, status from mirror_item
    where status = 'OPEN'
  union all select 'address', marketplace_id, user_id, 'DUE' from mirror_queue
  union all select 'outbox', marketplace_id, id::text, event_type from outbox
  union all select 'inbox', marketplace_id, provider_event_id, status from inbox
    where status = 'PENDING'`;

export const rest: Invariant = {
  id: 'I21',
  claim: 'nothing is in flight',
  async check(sql) {
    if (!sql.isConverged) return [skip(CLAIM, 'not part of this check: requires an idle service')];
    const broken = `select kind, marketplace_id as marketplace, id, status from (${MOVING}) moving`;
    return [await find(sql, { claim: CLAIM, of: 'operation', broken })];
  },
};
