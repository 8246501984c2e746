//! I9: whatever has a life lived it: each recorded change is a move of it, and all together lead to
//! where it stands now. What is in flight is being driven.
import { findAll, type Invariant } from '../invariant.ts';

const TOPUP_ENDS = ['TOPUP_SUCCEEDED', 'TOPUP_FAILED', 'TOPUP_CANCELED'];
const ON_ITS_WAY = ['WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION'];
const WITHDRAWAL_ENDS = ['WITHDRAWAL_COMPLETED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED'];

/** As the specification draws them; an empty state is before the beginning. */
// biome-ignore format: a table.
const MOVES: Readonly<Record<string, readonly string[]>> = {
  'Order ':                    ['ORDER_CREATED'],
  'Order ORDER_CREATED':       ['FUNDS_RESERVED', 'CLOSED'],
  'Order FUNDS_RESERVED':      ['ESCROW_CREATING', 'CLOSED'],
  'Order ESCROW_CREATING':     ['ESCROW_FUNDING', 'FUNDS_RESERVED'],
  // The money is sent while the order stays where it is.
  'Order ESCROW_FUNDING':      ['ESCROW_FUNDING', 'IN_PROGRESS', 'FUNDS_RESERVED'],
  'Order IN_PROGRESS':         ['RELEASE_REQUESTED', 'REFUND_REQUESTED', 'DISPUTED'],
  // RELEASED and REFUNDED are passed in the transaction that closes.
  'Order RELEASE_REQUESTED':   ['CLOSED', 'IN_PROGRESS'],
  'Order REFUND_REQUESTED':    ['CLOSED', 'IN_PROGRESS'],
  'Order DISPUTED':            ['CLOSED'],
  'Dispute ':                  ['OPEN'],
  'Dispute OPEN':              ['UNDER_REVIEW'],
  // A decision is claimed, and given up when it is refused.
  'Dispute UNDER_REVIEW':      ['UNDER_REVIEW', 'RESOLVED'],
  'TopUp ':                    ['TOPUP_CREATED'],
  'TopUp TOPUP_CREATED':       ['TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING', ...TOPUP_ENDS],
  'TopUp TOPUP_AWAITING_USER_CONFIRMATION': ['TOPUP_PROCESSING', ...TOPUP_ENDS],
  'TopUp TOPUP_PROCESSING':    TOPUP_ENDS,
  'Withdrawal ':               ['WITHDRAWAL_CREATED'],
  // Straight to its end too: what the provider has paid is paid.
  'Withdrawal WITHDRAWAL_CREATED': ['WITHDRAWAL_COMMITTED', ...ON_ITS_WAY, ...WITHDRAWAL_ENDS],
  'Withdrawal WITHDRAWAL_COMMITTED': [...ON_ITS_WAY, ...WITHDRAWAL_ENDS],
  'Withdrawal WITHDRAWAL_PENDING': ['WITHDRAWAL_PENDING_USER_ACTION', ...WITHDRAWAL_ENDS],
  'Withdrawal WITHDRAWAL_PENDING_USER_ACTION': ['WITHDRAWAL_PENDING', ...WITHDRAWAL_ENDS],
};

const ALLOWED = Object.entries(MOVES)
  .flatMap(([from, all]) => all.map((to) => `('${from}', '${to}')`))
  .join(', ');

/** One deed may be written down in two rows, such as both payments of a split: it is one change. */
const CHANGES = `
  select distinct marketplace_id, kind, id, "from", "to", correlation_id, occurred_at from (
    select marketplace_id, resource_type as kind, resource_id as id, before->>'status' as "from",
      after->>'status' as "to", correlation_id, occurred_at
    from audit where resource_type in ('Order', 'Dispute', 'TopUp', 'Withdrawal')
      and after ? 'status'
    union all
    select marketplace_id, 'Order', after->>'orderId', before->>'orderStatus',
      after->>'orderStatus', correlation_id, occurred_at
    from audit where resource_type = 'Dispute' and after ? 'orderStatus') told`;

/** Each state as often left as entered, but for the one in which it stands. */
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

/** A payment has an operation that sends it, or a time at which somebody looks at it. */
const PAYMENTS_IN_FLIGHT = `
  select marketplace_id, id, status, exists (select from topup_look look
    where look.marketplace_id = topup.marketplace_id and look.topup_id = topup.id) as is_looked_at
  from topup where status in
    ('TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING')
  union all
  select marketplace_id, id, status, next_look_at is not null from withdrawal where status in
    ('WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION')`;

export const lives: Invariant = {
  id: 'I9',
  claim: 'whatever has a life lived it, and what is in flight is driven',
  check: (sql) =>
    findAll(sql, [
      {
        claim: 'every recorded change of an order, a dispute or a payment is a move of its life',
        of: 'audit',
        broken: `select marketplace_id as marketplace, kind, id, "from", "to", correlation_id as request
          from (${CHANGES}) change
          where "from" is distinct from "to"
            and (kind || ' ' || coalesce("from", ''), "to") not in (${ALLOWED})`,
      },
      {
        claim: 'the recorded changes of each lead from its beginning to where it stands',
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
        claim: 'whatever is in flight has an operation that is open',
        of: 'orders',
        broken: `select flying.marketplace_id as marketplace, flying.id as "order", flying.status,
            flying.escrow, flying.operation_id as operation
          from (${IN_FLIGHT}) flying
          left join orders made
            on made.marketplace_id = flying.marketplace_id and made.id = flying.id
          where not exists (select from operation_open
            where operation_open.marketplace_id = flying.marketplace_id
              and operation_open.resource_id in (flying.id, made.escrow_id)
              and operation_open.operation_id = coalesce(flying.operation_id, operation_id))`,
      },
      {
        claim: 'a payment that has not ended has an operation that is open, or is looked at',
        of: 'operation',
        broken: `select flying.marketplace_id as marketplace, flying.id as payment, flying.status
          from (${PAYMENTS_IN_FLIGHT}) flying
          where not is_looked_at and not exists (select from operation_open
            where operation_open.marketplace_id = flying.marketplace_id
              and operation_open.resource_id = flying.id)`,
      },
      {
        claim: 'an operation is open exactly while it has not ended, one for a resource',
        of: 'operation',
        broken: `select coalesce(driven.marketplace_id, waiting.marketplace_id) as marketplace,
            coalesce(driven.id, waiting.operation_id) as operation, driven.kind, driven.status,
            coalesce(driven.resource_id, waiting.resource_id) as resource
          from (select * from operation where status in ('RUNNING', 'RAISED')) driven
          full join operation_open waiting on waiting.marketplace_id = driven.marketplace_id
            and waiting.operation_id = driven.id
          where driven.id is null or waiting.resource_id is distinct from driven.resource_id`,
      },
    ]),
};
