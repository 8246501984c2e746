//! I31: nothing that a stop of a marketplace refuses started while the stop stood.
import { findAll, type Invariant } from '../invariant.ts';

const quoted = (names: string) =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => `'${name}'`)
    .join(', ');

const PAYOUTS = quoted('WITHDRAWAL_CREATED WITHDRAWAL_COMMITTED');
/** What a call of the API starts. The service's own actions belong to work that was open. */
const MONEY = quoted(`
  WITHDRAWAL_CREATED WITHDRAWAL_COMMITTED
  BALANCE_CREDITED BALANCE_DEBITED BALANCE_RESERVED BALANCE_UNRESERVED RESERVED_SPENT
  RESERVATIONS_CANCELED BALANCE_SYNCED TOPUP_CREATED ORDER_FUNDS_RESERVED ORDER_CANCELED
  ESCROW_CREATE_REQUESTED ESCROW_FUNDING_STARTED RELEASE_REQUESTED REFUND_REQUESTED
  DISPUTE_DECISION_CLAIMED EXCEPTION_RESOLVED`);

/** Clocks of two processes may differ by this much; the audit chain needs no clock. */
const CLOCKS_APART = `interval '1 second'`;

/**
 * A full join is a hash join: without statistics the planner would join row by row. What a stop
 * reads is materialized for the same reason: inlined, its end is looked for once per audit entry.
 */
const LINKED = `chained as materialized (
    select marketplace_id, audit_id as id, position from audit_link
    where marketplace_id in (select marketplace_id from marketplace_stop)),
  recorded as materialized (
    select marketplace_id, id, action, actor_type, result, before, after from audit
    where marketplace_id in (select marketplace_id from marketplace_stop)
      and action in (${MONEY}, 'MARKETPLACE_STOP_SETTLED', 'MARKETPLACE_UNFROZEN')),
  linked as materialized (
    select * from recorded full join chained using (marketplace_id, id))`;

export const stops: Invariant = {
  id: 'I31',
  claim: 'nothing that a stop refuses started while it stood',
  check: (sql) =>
    findAll(sql, [
      {
        claim:
          'no call did what a stop refuses, in the audit chain between its settling and lifting',
        of: `audit where action = 'MARKETPLACE_STOP_SETTLED'`,
        broken: `with ${LINKED},
          stood as materialized (
            select settled.marketplace_id, settled.after->>'level' as level,
              settled.position as settled_position,
              (select min(lifted.position) from linked lifted
               where lifted.marketplace_id = settled.marketplace_id
                 and lifted.action = 'MARKETPLACE_UNFROZEN'
                 and lifted.before->>'level' = settled.after->>'level'
                 and lifted.position > settled.position) as lifted_position
            from linked settled where settled.action = 'MARKETPLACE_STOP_SETTLED')
          select linked.marketplace_id as marketplace, linked.id as audit, linked.action, stood.level
          from stood join linked on linked.marketplace_id = stood.marketplace_id
            and linked.position > stood.settled_position
            and (stood.lifted_position is null or linked.position < stood.lifted_position)
          where linked.actor_type not in ('SYSTEM', 'PROVIDER') and linked.result = 'SUCCESS'
            and (linked.action in (${PAYOUTS})
              or (stood.level <> 'PAYOUTS' and linked.action in (${MONEY})))`,
      },
      {
        claim: 'no transaction was signed while a stop of signing stood',
        of: 'marketplace_stop',
        broken: `select envelope.marketplace_id as marketplace, envelope.purpose, envelope.created_at
          from marketplace_stop stop
          join envelope on envelope.marketplace_id = stop.marketplace_id
            and envelope.created_at > stop.settled_at + ${CLOCKS_APART}
            and envelope.created_at < coalesce(stop.lifted_at, 'infinity') - ${CLOCKS_APART}
          where stop.level = 'SIGNING'`,
      },
    ]),
};
