//! I5: an order agrees with its money, its parties and all related records.
import { breaches, find, findAll, type Invariant, skip } from '../invariant.ts';
import { JOURNAL, journalValues, NO_JOURNAL } from '../journal.ts';

/** When the money is reserved, and when it is in escrow; at all other times it is neither. */
const IS_SET_ASIDE = `made.status in ('FUNDS_RESERVED', 'ESCROW_CREATING')
  or (made.status = 'ESCROW_FUNDING' and shown.status = 'CREATED')`;
const IS_IN_ESCROW = `coalesce(shown.status, '') in ('FUNDING', 'FUNDED', 'DISPUTED')`;

const { wrong, any } = breaches({
  'its amount in escrow exactly while the escrow is funding, funded or disputed': `coalesce(purse.available, 0)
    = case when ${IS_IN_ESCROW} then made.amount else 0 end and coalesce(purse.reserved, 0) = 0`,
  'its amount reserved exactly from the reservation until the funding': `coalesce(hold.remaining, 0)
    = case when ${IS_SET_ASIDE} then made.amount else 0 end`,
  'a buyer and a seller of its marketplace': 'buyer.id is not null and seller.id is not null',
  'milestones that sum to it': 'coalesce(stones.sum, made.amount) = made.amount',
  'the escrow that it points at': `(made.escrow_id is null) = (shown.id is null)
    and (shown.id is null or (shown.order_id, shown.amount, shown.fee_basis_points)
      = (made.id, made.amount, made.fee_basis_points) and shown.archived_at is null)`,
  'the dispute that it points at': `(made.dispute_id is null) = (dispute.id is null)
    and (dispute.id is null or dispute.order_id = made.id)
    and (made.status = 'DISPUTED') = (dispute.id is not null and dispute.resolved_at is null)`,
  'a row in open_order while open': `(made.status = 'CLOSED') = (waiting.order_id is null)`,
  'the contract of its escrow': `shown.provider_contract_id is null
    or (contract.marketplace_id, contract.escrow_id) = (made.marketplace_id, shown.id)`,
});

const ORDERS = `from orders made
  left join escrow shown on shown.marketplace_id = made.marketplace_id and shown.id = made.escrow_id
  left join dispute on dispute.marketplace_id = made.marketplace_id and dispute.id = made.dispute_id
  left join contract on contract.provider_contract_id = shown.provider_contract_id
  left join open_order waiting
    on waiting.marketplace_id = made.marketplace_id and waiting.order_id = made.id
  left join users buyer on buyer.marketplace_id = made.marketplace_id and buyer.id = made.buyer_id
  left join users seller on seller.marketplace_id = made.marketplace_id and seller.id = made.seller_id
  left join account purse on purse.marketplace_id = made.marketplace_id and purse.kind = 'escrow'
    and purse.owner_id = made.id and purse.currency = made.currency
  left join (select marketplace_id, subject_id, sum(remaining) as remaining from reservation
    where owner = 'order' group by 1, 2) hold
    on hold.marketplace_id = made.marketplace_id and hold.subject_id = made.id
  left join (select marketplace_id, order_id, sum(amount) as sum from milestone group by 1, 2) stones
    on stones.marketplace_id = made.marketplace_id and stones.order_id = made.id`;

const ORDER_RECORDS = `
  select 'milestone' as kind, marketplace_id, id, order_id, false as is_lost from milestone
  union all select 'escrow', marketplace_id, id, order_id, archived_at is null and id not in (
    select escrow_id from orders where escrow_id is not null) from escrow
  union all select 'dispute', marketplace_id, id, order_id, id not in (
    select dispute_id from orders where dispute_id is not null) from dispute
  union all select 'hold', marketplace_id, id, subject_id, false from reservation
    where owner = 'order'
  union all select 'escrow account', marketplace_id, id::text, owner_id, false from account
    where kind = 'escrow' and available <> 0
  union all select 'open order', marketplace_id, order_id, order_id, false from open_order`;

/** The holding of each contract, from the payments in and out. */
const HOLDINGS = `
  select "contractId" as contract_id, min("orderId") as order_id,
    sum(case effect when 'escrow.fund' then amount else -amount end) as held
  from ${JOURNAL} where effect in ('escrow.fund', 'escrow.release', 'escrow.resolve') group by 1`;

const HELD = 'a contract holds the amount of its order exactly while the escrow says so';

export const orders: Invariant = {
  id: 'I5',
  claim: 'an order agrees with its money, its parties and all related records',
  check: async (sql) => [
    ...(await findAll(sql, [
      {
        claim: 'money, parties, milestones, escrow and dispute of every order match it',
        of: 'orders',
        broken: `select made.marketplace_id as marketplace, made.id as "order", made.status,
            shown.status as escrow, ${wrong} as "not" ${ORDERS} where ${any}`,
      },
      {
        claim: 'every record of an order belongs to one existing order',
        of: 'orders',
        broken: `select kind, part.marketplace_id as marketplace, part.id, part.order_id as "order"
          from (${ORDER_RECORDS}) part left join orders made
            on made.marketplace_id = part.marketplace_id and made.id = part.order_id
          where made.id is null or part.is_lost`,
      },
    ])),
    sql.journal === undefined
      ? skip(HELD, NO_JOURNAL)
      : await find(sql, {
          claim: HELD,
          of: 'contract',
          values: journalValues(sql.journal),
          // While an operation is open the money may be on either side.
          broken: `select coalesce(escrow.order_id, holding.order_id) as "order", escrow.status,
              coalesce(escrow.provider_contract_id, holding.contract_id) as contract, holding.held
            from (select * from escrow where provider_contract_id is not null) escrow
            full join (${HOLDINGS}) holding on holding.contract_id = escrow.provider_contract_id
            where coalesce(holding.held, 0) <> case when escrow.status in ('FUNDED', 'DISPUTED')
                then escrow.amount / 100.0 else 0 end
              and not exists (select from open_operation
                where open_operation.marketplace_id = escrow.marketplace_id
                  and open_operation.resource_id = escrow.order_id)`,
        }),
  ],
};
