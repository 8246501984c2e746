//! I9: every recorded status change is an allowed move, and the moves lead to the current status.
//! Every order, dispute and payment in flight has an open operation or is polled.
import { findAll, type Invariant } from '../invariant.ts';

const TOPUP_ENDS = ['TOPUP_SUCCEEDED', 'TOPUP_FAILED', 'TOPUP_CANCELED'];
const ON_ITS_WAY = ['WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION'];
const WITHDRAWAL_ENDS = ['WITHDRAWAL_COMPLETED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED'];

/** As the specification draws them; an empty state is the one before creation. */
// biome-ignore format: a table.
const MOVES: Readonly<Record<string, readonly string[]>> = {
  'Order ':                    ['ORDER_CREATED'],
  'Order ORDER_CREATED':       ['FUNDS_RESERVED', 'CLOSED'],
  'Order FUNDS_RESERVED':      ['ESCROW_CREATING', 'CLOSED'],
  'Order ESCROW_CREATING':     ['ESCROW_FUNDING', 'FUNDS_RESERVED'],
  // The money is sent while the order keeps its status.
  'Order ESCROW_FUNDING':      ['ESCROW_FUNDING', 'IN_PROGRESS', 'FUNDS_RESERVED'],
  'Order IN_PROGRESS':         ['RELEASE_REQUESTED', 'REFUND_REQUESTED', 'DISPUTED'],
  // RELEASED and REFUNDED are passed in the transaction that closes.
  'Order RELEASE_REQUESTED':   ['CLOSED', 'IN_PROGRESS'],
  'Order REFUND_REQUESTED':    ['CLOSED', 'IN_PROGRESS'],
  'Order DISPUTED':            ['CLOSED'],
  'Dispute ':                  ['OPEN'],
  'Dispute OPEN':              ['UNDER_REVIEW'],
  // A decision is claimed, and dropped when it is refused.
  'Dispute UNDER_REVIEW':      ['UNDER_REVIEW', 'RESOLVED'],
  'TopUp ':                    ['TOPUP_CREATED'],
  'TopUp TOPUP_CREATED':       ['TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING', ...TOPUP_ENDS],
  'TopUp TOPUP_AWAITING_USER_CONFIRMATION': ['TOPUP_PROCESSING', ...TOPUP_ENDS],
  'TopUp TOPUP_PROCESSING':    TOPUP_ENDS,
  'Withdrawal ':               ['WITHDRAWAL_CREATED'],
  // Also straight to its end: the provider may have paid it already.
  'Withdrawal WITHDRAWAL_CREATED': ['WITHDRAWAL_COMMITTED', ...ON_ITS_WAY, ...WITHDRAWAL_ENDS],
  'Withdrawal WITHDRAWAL_COMMITTED': [...ON_ITS_WAY, ...WITHDRAWAL_ENDS],
  'Withdrawal WITHDRAWAL_PENDING': ['WITHDRAWAL_PENDING_USER_ACTION', ...WITHDRAWAL_ENDS],
  'Withdrawal WITHDRAWAL_PENDING_USER_ACTION': ['WITHDRAWAL_PENDING', ...WITHDRAWAL_ENDS],
};

const ALLOWED = Object.entries(MOVES)
  .flatMap(([from, all]) => all.map((to) => `('${from}', '${to}')`))
  .join(', ');

/** One action may have two audit rows, such as both payments of a split: it is one change. */
const CHANGES = `
  select distinct marketplace_id, kind, id, "from", "to", correlation_id, occurred_at from (
    select marketplace_id, resource_type as kind, resource_id as id, before->>'status' as "from",
      after->>'status' as "to", correlation_id, occurred_at
    from audit where resource_type in ('Order', 'Dispute', 'TopUp', 'Withdrawal')
      and after ? 'status'
    union all
    select marketplace_id, 'Order', after->>'orderId', before->>'orderStatus',
      after->>'orderStatus', correlation_id, occurred_at
    from audit where resource_type = 'Dispute' and after ? 'orderStatus') published`;

/** Each state is left as often as it is entered, except for the current one. */
const BALANCE = `
  select marketplace_id, kind, id, state, sum(step) as visits from (
    select marketplace_id, kind, id, "to" as state, 1 as step from (${CHANGES}) entered
    union all
    select marketplace_id, kind, id, "from", -1 from (${CHANGES}) gone where "from" is not null) steps
  group by 1, 2, 3, 4 having sum(step) <> 0`;

const STANDING = `
  select marketplace_id, 'Order' as kind, id, status as state from orders
  union all select marketplace_id, 'Dispute', id, status from dispute
  union all select marketplace_id, 'TopUp', id, status from topup
  union all select marketplace_id, 'Withdrawal', id, status from withdrawal`;

const IN_FLIGHT = `
  select made.marketplace_id, made.id, made.status, shown.status as escrow, null as operation_id
  from orders made left join escrow shown
    on shown.marketplace_id = made.marketplace_id and shown.id = made.escrow_id
  where made.status in
      ('ESCROW_CREATING', 'RELEASE_REQUESTED', 'RELEASED', 'REFUND_REQUESTED', 'REFUNDED')
    or shown.status in ('CREATING', 'FUNDING')
  union all
  select marketplace_id, order_id, status, null, claimed_operation_id
  from dispute where decision is not null and resolved_at is null`;

/** A payment in flight has an operation that sends it, or a time of its next poll. */
const PAYMENTS_IN_FLIGHT = `
  select marketplace_id, id, status, exists (select from topup_poll look
    where look.marketplace_id = topup.marketplace_id and look.topup_id = topup.id) as is_looked_at
  from topup where status in
    ('TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING')
  union all
  select marketplace_id, id, status, next_poll_at is not null from withdrawal where status in
    ('WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION')`;

export const lives: Invariant = {
  id: 'I9',
  claim: 'every status change is allowed, and everything in flight is being executed',
  check: (sql) =>
    findAll(sql, [
      {
        claim: 'every recorded change of an order, a dispute or a payment is an allowed move',
        of: 'audit',
        broken: `select marketplace_id as marketplace, kind, id, "from", "to", correlation_id as request
          from (${CHANGES}) change
          where "from" is distinct from "to"
            and (kind || ' ' || coalesce("from", ''), "to") not in (${ALLOWED})`,
      },
      {
        claim: 'the recorded changes of each lead from its creation to its current status',
        of: 'orders',
        broken: `select coalesce(standing.marketplace_id, passed.marketplace_id) as marketplace,
            coalesce(standing.kind, passed.kind) as kind, coalesce(standing.id, passed.id) as id,
            coalesce(standing.state, passed.state) as state, passed.visits,
            standing.state is not null as stands
          from (${STANDING}) standing full join (${BALANCE}) passed
            on passed.marketplace_id = standing.marketplace_id and passed.kind = standing.kind
            and passed.id = standing.id and passed.state = standing.state
          where standing.id is null or passed.visits is distinct from 1`,
      },
      {
        claim: 'every order or dispute in flight has an open operation',
        of: 'orders',
        broken: `select flying.marketplace_id as marketplace, flying.id as "order", flying.status,
            flying.escrow, flying.operation_id as operation
          from (${IN_FLIGHT}) flying
          left join orders made
            on made.marketplace_id = flying.marketplace_id and made.id = flying.id
          where not exists (select from open_operation
            where open_operation.marketplace_id = flying.marketplace_id
              and open_operation.resource_id in (flying.id, made.escrow_id)
              and open_operation.operation_id = coalesce(flying.operation_id, operation_id))`,
      },
      {
        claim: 'a payment that has not ended has an open operation, or is polled',
        of: 'operation',
        broken: `select flying.marketplace_id as marketplace, flying.id as payment, flying.status
          from (${PAYMENTS_IN_FLIGHT}) flying
          where not is_looked_at and not exists (select from open_operation
            where open_operation.marketplace_id = flying.marketplace_id
              and open_operation.resource_id = flying.id)`,
      },
      {
        claim: 'every unfinished operation is marked open, at most one for each resource',
        of: 'operation',
        broken: `select coalesce(active.marketplace_id, waiting.marketplace_id) as marketplace,
            coalesce(active.id, waiting.operation_id) as operation, active.kind, active.status,
            coalesce(active.resource_id, waiting.resource_id) as resource
          from (select * from operation where status in ('RUNNING', 'ESCALATED')) active
          full join open_operation waiting on waiting.marketplace_id = active.marketplace_id
            and waiting.operation_id = active.id
          where active.id is null or waiting.resource_id is distinct from active.resource_id`,
      },
    ]),
};
