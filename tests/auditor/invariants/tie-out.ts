//! I22: every address holds the balance of the books, and every started order or payment has its
//! entry, event and audit row.
import { ALL_EVENTS, RETAINED } from '../events.ts';
import { HOLDINGS, NOT_AT_REST, OWN, PAYMENTS, SIGNED } from '../external-state.ts';
import {
  breaches,
  type Check,
  find,
  findAll,
  findRepeats,
  type Invariant,
  skip,
} from '../invariant.ts';

const CLAIMS = {
  addresses:
    'every address holds its balance in the books and its dust (an amount below one cent), and the stored copy of the network balance agrees',
  externalPayers: 'every payment of an external payer to a user is a deposit, and nothing else is',
};

/** Records of each creation: its own audit row, and an event of itself or its order. */
const STARTED = `
  select marketplace_id, id, created_at, 'Order' as kind, 'ORDER_CREATED' as action, id as of,
    'order.created' as event_type from orders
  union all select marketplace_id, id, created_at, 'Dispute', 'DISPUTE_OPENED', order_id,
    'order.disputed' from dispute
  union all select marketplace_id, id, created_at, 'TopUp', 'TOPUP_CREATED', id,
    'topup.created' from topup
  union all select marketplace_id, id, created_at, 'Withdrawal', 'WITHDRAWAL_CREATED', id,
    'withdrawal.created' from withdrawal`;

const started = breaches({
  'one audit row': `(select count(*) from audit where audit.marketplace_id = made.marketplace_id
    and audit.resource_type = made.kind and audit.resource_id = made.id
    and audit.action = made.action) = 1`,
  'one event': `made.created_at < kept.since or (select count(*) from ${ALL_EVENTS} published
    where published.marketplace_id = made.marketplace_id and published.aggregate_id = made.of
      and published.event_type = made.event_type) = 1`,
});

/** Each change of a top-up or a withdrawal, by its audit row and by its event. */
const AUDITED = `
  select audit.marketplace_id, audit.resource_id as id, audit.correlation_id, audit.occurred_at,
    case audit.action when 'TOPUP_AWAITING_USER_CONFIRMATION' then 'topup.confirmation_required'
      else lower(regexp_replace(audit.action, '^(TOPUP|WITHDRAWAL)_', '\\1.')) end as event_type
  from audit where audit.resource_type in ('TopUp', 'Withdrawal')
    -- Money that comes back after the end changes no status.
    and (audit.after ? 'status'
      or audit.action in ('TOPUP_REVERSED', 'TOPUP_REINSTATED', 'WITHDRAWAL_RETURNED'))`;

const deposits = breaches({
  'an entry exactly where it is a cent or more': `(taken.amount > 0) = (entry.id is not null)`,
  'its amount and currency': `entry.id is null
    or (entry.amount, entry.currency) = (taken.amount, taken.currency)`,
  'its user': `entry.id is null or payee.owner_id = taken.user_id`,
  'the address of its user': `wallet.address = taken.address`,
});

const CHECKS: readonly Check[] = [
  {
    claim:
      'every order, dispute, top-up and withdrawal has one event and one audit row of its creation',
    of: 'orders',
    broken: `select made.marketplace_id as marketplace, made.kind, made.id, ${started.wrong} as "not"
      from (${STARTED}) made left join ${RETAINED} kept on kept.marketplace_id = made.marketplace_id
      where ${started.any}`,
  },
  {
    claim:
      'every change of a top-up or a withdrawal has its audit row and its event, of one request',
    of: 'audit',
    broken: `select coalesce(audited.marketplace_id, published.marketplace_id) as marketplace,
        coalesce(audited.id, published.aggregate_id) as id,
        coalesce(audited.event_type, published.event_type) as event,
        coalesce(audited.correlation_id, published.correlation_id) as request,
        case when published.event_type is null then 'an event' else 'an audit row' end as "not"
      from (${AUDITED}) audited
      full join (select * from ${ALL_EVENTS} events where event_type ~ '^(topup|withdrawal)\\.') published
        on published.marketplace_id = audited.marketplace_id and published.aggregate_id = audited.id
        and published.event_type = audited.event_type and published.correlation_id = audited.correlation_id
      left join ${RETAINED} kept on kept.marketplace_id = audited.marketplace_id
      where audited.id is null or (published.event_type is null and audited.occurred_at >= kept.since)`,
  },
  {
    claim: 'every deposit has the entry that credits it, and every such entry its deposit',
    of: 'deposit',
    broken: `select taken.operation_id as operation, taken.transfer_index, taken.user_id as "user",
        entry.id as entry, ${deposits.wrong} as "not"
      from deposit taken
      full join (select * from entry where kind = 'deposit') entry
        on entry.marketplace_id = taken.marketplace_id and entry.id = taken.entry_id
      left join account payee on payee.id = entry.to_account
      left join wallet on wallet.marketplace_id = taken.marketplace_id
        and wallet.user_id = taken.user_id
      where ${deposits.any}`,
  },
  {
    claim: 'the dust of a wallet is the remainder of its deposits and differences',
    of: 'wallet_mirror',
    broken: `select marketplace_id as marketplace, user_id as "user", asset, mirror.dust_stroops as dust,
        parts.stroops as left_over
      from wallet_mirror mirror
      full join (select marketplace_id, user_id, asset, sum(dust_stroops) as stroops
        from (select marketplace_id, user_id, asset, dust_stroops from deposit
          union all select marketplace_id, user_id, asset, dust_stroops from balance_difference) part
        group by 1, 2, 3) parts using (marketplace_id, user_id, asset)
      where coalesce(mirror.dust_stroops, 0) <> coalesce(parts.stroops, 0)`,
  },
];

const externalPayers = breaches({
  'a payment of an external payer': 'given.operation is not null',
  'a deposit': 'taken.operation_id is not null',
  'the same figures': `(taken.address, taken.from_address, taken.hash, taken.asset, taken.stroops)
    = (given."to", given."from", given.hash, given.asset, given.amount * 10000000)`,
});

/** While the feed is being read, a payment may not be credited yet. */
const externalPayments = (isConverged: boolean) => `
  select coalesce(taken.operation_id, given.operation) as operation,
    coalesce(taken.transfer_index, given.part) as part, coalesce(taken.user_id, owner.user_id) as "user",
    given."from", given.asset, given.amount, ${externalPayers.wrong} as "not"
  from (select paid.* from ${PAYMENTS(1)} where paid.amount > 0
      and paid."to" in (select address from wallet)
      and paid."from" not in (select address from ${OWN})
      and paid.hash not in ${SIGNED}) given
  full join deposit taken on taken.operation_id = given.operation and taken.transfer_index = given.part
  left join wallet owner on owner.address = given."to"
  where ${externalPayers.any} and not (taken.operation_id is null and ${!isConverged})`;

const MIRRORED = `
  select wallet.marketplace_id as marketplace, wallet.user_id as "user", wallet.address,
    wanted.asset, coalesce(books.amount, 0) as books, coalesce(dust_stroops, 0) as dust,
    coalesce(mirror.stroops, 0) as mirrored, coalesce(held.amount, 0) as holds
  from wallet cross join (values ('USDC'), ('XLM')) wanted (asset)
  left join (select marketplace_id, owner_id,
      case currency when 'XLM' then 'XLM' else 'USDC' end as asset,
      sum(available + reserved) / 100.0 as amount
    from account where kind = 'user' group by 1, 2, 3) books
    on books.marketplace_id = wallet.marketplace_id and books.owner_id = wallet.user_id
    and books.asset = wanted.asset
  left join wallet_mirror mirror on mirror.marketplace_id = wallet.marketplace_id
    and mirror.user_id = wallet.user_id and mirror.asset = wanted.asset
  left join ${HOLDINGS(1)} on held.address = wallet.address and held.asset = wanted.asset
  where wallet.status = 'READY'`;

export const tieOut: Invariant = {
  id: 'I22',
  claim: 'every address matches the books, and all started work has its records',
  async check(sql) {
    const { external, isConverged } = sql;
    return [
      ...(await findAll(sql, CHECKS)),
      await findRepeats(sql, 'deposit', ['operation_id', 'transfer_index']),
      external === undefined
        ? skip(CLAIMS.externalPayers, 'not part of this check: requires the sandbox')
        : await find(sql, {
            claim: CLAIMS.externalPayers,
            of: external.payments.length,
            values: [JSON.stringify(external.payments)],
            broken: externalPayments(isConverged),
          }),
      external?.atRest === undefined || !isConverged
        ? skip(CLAIMS.addresses, NOT_AT_REST)
        : await find(sql, {
            claim: CLAIMS.addresses,
            of: 'wallet',
            values: [JSON.stringify(external.atRest.holdings)],
            broken: `select * from (${MIRRORED}) followed
              where holds <> books + dust / 10000000.0 or holds * 10000000 <> mirrored`,
          }),
    ];
  },
};
