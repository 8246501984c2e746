//! Orders in the healthy world: each action is recorded as the service does it, and its money moves
//! through the posting functions for orders.
import type { Client } from 'pg';
import type { JournalEntry } from '../journal.ts';
import { doExternalWork, type ExternalWork } from './external-work.ts';
import { ACTOR, newId, one, type Purse, pass, writeDown } from './rows.ts';

/** One request: the status before and after it, and its effect on the money. */
interface Transition {
  readonly action: string;
  readonly from: string | null;
  readonly to: string;
  readonly postings?: readonly string[];
  /** Another audit row of the same request. */
  readonly also?: string;
  /** The audit row is of the dispute, which makes this move. */
  readonly dispute?: readonly [from: string | null, to: string];
  readonly request?: string;
}

const hold = () => `hold_for_order(%, p_reservation => '${newId('rsv')}')`;
const unfund = () => `unfund_escrow(%, p_reservation => '${newId('rsv')}')`;

// biome-ignore format: a table.
const creation: readonly Transition[] = [
  { action: 'ORDER_CREATED', from: null, to: 'ORDER_CREATED' },
];
// biome-ignore format: a table.
const reserved = (): readonly Transition[] => [
  ...creation,
  { action: 'ORDER_FUNDS_RESERVED', from: 'ORDER_CREATED', to: 'FUNDS_RESERVED', postings: [hold()] },
];
// biome-ignore format: a table.
const paidIn: readonly Transition[] = [
  { action: 'ESCROW_CREATE_REQUESTED', from: 'FUNDS_RESERVED', to: 'ESCROW_CREATING' },
  { action: 'ESCROW_CREATED', from: 'ESCROW_CREATING', to: 'ESCROW_FUNDING' },
  { action: 'ESCROW_FUNDING_STARTED', from: 'ESCROW_FUNDING', to: 'ESCROW_FUNDING', postings: ['fund_escrow(%)'] },
];
const funded: Transition = { action: 'ESCROW_FUNDED', from: 'ESCROW_FUNDING', to: 'IN_PROGRESS' };
const disputed: Transition = {
  action: 'DISPUTE_OPENED',
  from: 'IN_PROGRESS',
  to: 'DISPUTED',
  dispute: [null, 'OPEN'],
};

/** One order is canceled, one takes every path, one is disputed, one is being released. */
// biome-ignore format: a table.
const LIVES = (): Readonly<Record<string, readonly Transition[]>> => ({
  ord_given_up: [
    ...reserved(),
    { action: 'ORDER_CANCELED', from: 'FUNDS_RESERVED', to: 'CLOSED', postings: ['return_order_hold(%, p_note => null)'] },
  ],
  ord_deal: [
    ...reserved(),
    ...paidIn,
    { action: 'ESCROW_FUNDING_FAILED', from: 'ESCROW_FUNDING', to: 'FUNDS_RESERVED', postings: [unfund()] },
    ...paidIn,
    funded,
    disputed,
    { action: 'DISPUTE_ASSIGNED', from: null, to: '', dispute: ['OPEN', 'UNDER_REVIEW'] },
    { action: 'DISPUTE_DECISION_CLAIMED', from: null, to: '', dispute: ['UNDER_REVIEW', 'UNDER_REVIEW'] },
    { action: 'ORDER_RELEASED', also: 'ORDER_REFUNDED', from: 'DISPUTED', to: 'CLOSED', postings: [
      `pay_from_escrow(%, p_purpose => 'order_release', p_amount => 760)`,
      'take_fee_from_escrow(%, p_amount => 40)',
      `pay_from_escrow(%, p_purpose => 'order_refund', p_amount => 400)`,
    ] },
    { action: 'DISPUTE_RESOLVED', from: null, to: '', dispute: ['UNDER_REVIEW', 'RESOLVED'] },
  ],
  ord_under_way: [...reserved(), ...paidIn, { ...funded, request: 'webhook-funded' }, disputed],
  ord_moving: [
    ...reserved(),
    ...paidIn,
    funded,
    { action: 'RELEASE_REQUESTED', from: 'IN_PROGRESS', to: 'RELEASE_REQUESTED' },
  ],
});

/** Orders between Ann and Ben, with their external effects. */
export async function createOrders(
  client: Client,
  ann: Purse,
  ben: Purse,
): Promise<JournalEntry[]> {
  const { marketplace } = ann;
  await one(client, `select set_config('app.marketplace_id', $1, false)`, [marketplace]);
  const lives = Object.entries(LIVES());
  for (const [order] of lives) await createOrder(client, order, ann, ben);
  for (const [order, transitions] of lives)
    for (const transition of transitions) await write(client, marketplace, order, transition);
  await client.query(`update orders set status = 'CLOSED', close_reason = 'CANCELED'
    where id = 'ord_given_up'`);
  await client.query(`insert into open_order select marketplace_id, id from orders
    where id in ('ord_under_way', 'ord_moving')`);
  await escrowFor(
    client,
    'ord_deal',
    'RELEASED',
    `'CLOSED', close_reason = 'SPLIT', dispute_id = 'dsp_deal'`,
  );
  await escrowFor(client, 'ord_under_way', 'DISPUTED', `'DISPUTED', dispute_id = 'dsp_under_way'`);
  await escrowFor(client, 'ord_moving', 'FUNDED', `'RELEASE_REQUESTED'`);
  await client.query(`insert into milestone select marketplace_id, 'mil_' || ref, id, ref, '', 600, 'OPEN'
    from orders, unnest('{m1,m2}'::text[]) ref where id = 'ord_under_way'`);
  await client.query(
    `insert into dispute (marketplace_id, id, order_id, opened_by, reason, status, assigned_to,
       decision, release_amount, refund_amount, claimed_by, claimed_operation_id, created_at,
       updated_at, resolved_at)
     values ($1, 'dsp_under_way', 'ord_under_way', 'BUYER', 'OTHER', 'OPEN', null, null, null, null,
         null, null, now(), now(), null),
       ($1, 'dsp_deal', 'ord_deal', 'BUYER', 'OTHER', 'RESOLVED', 'agent', 'SPLIT', 800, 400, $2,
         'op_resolve', now(), now(), now())`,
    [marketplace, ACTOR],
  );
  return doExternalWork(client, marketplace, EXTERNAL_WORK);
}

/** The event of each action on creation. */
const EVENTS: Readonly<Record<string, string>> = {
  ORDER_CREATED: 'order.created',
  DISPUTE_OPENED: 'order.disputed',
};

async function write(
  client: Client,
  marketplace: string,
  order: string,
  { action, from, to, postings = [], also, dispute, request }: Transition,
): Promise<void> {
  const correlation = request ?? `${action} of ${order} ${newId('req')}`;
  const now = new Date().toISOString();
  const changed = dispute?.at(1) === 'OPEN' ? { orderId: order, orderStatus: to } : {};
  const resource = dispute
    ? {
        ...{ type: 'Dispute', id: order.replace('ord_', 'dsp_') },
        before: { status: dispute[0], orderStatus: from },
        after: { status: dispute[1], ...changed },
      }
    : { type: 'Order', id: order, before: { status: from }, after: { status: to } };
  for (const each of also === undefined ? [action] : [action, also]) {
    const eventType = EVENTS[each];
    const event = eventType === undefined ? {} : { event: [eventType, order] as const };
    const row = { marketplace, at: now, action: each, correlation };
    await writeDown(client, { ...row, ...resource, ...event });
  }
  for (const posting of postings) await pass(client, posting, 'order', [now, order, correlation]);
}

async function escrowFor(client: Client, order: string, status: string, then: string) {
  await client.query(
    `with made as (
       insert into escrow (marketplace_id, id, order_id, status, contract_type, amount,
         fee_basis_points, buyer_address, seller_address, platform_address, resolver_address,
         provider_contract_id, created_at, funded_at)
       select marketplace_id, 'esc_' || id, id, $2, 'SINGLE_RELEASE', amount, fee_basis_points,
         'GANN', 'GBEN', 'GPLATFORM', 'GRESOLVER', 'C' || id, now(), now() from orders where id = $1
       returning marketplace_id, id, provider_contract_id)
     insert into contract select provider_contract_id, marketplace_id, id from made`,
    [order, status],
  );
  await client.query(`update orders set escrow_id = 'esc_' || id, status = ${then} where id = $1`, [
    order,
  ]);
}

async function createOrder(client: Client, id: string, buyer: Purse, seller: Purse): Promise<void> {
  await client.query(
    `insert into orders (marketplace_id, id, status, buyer_id, seller_id, amount, currency,
       fee_basis_points, fee, title, metadata, created_at, updated_at)
     values ($1, $2, 'ORDER_CREATED', $3, $4, 1200, 'USD', 500, 60, '', '{}', now(), now())`,
    [buyer.marketplace, id, buyer.user, seller.user],
  );
  const open = `select books.open_order_accounts(now(), $1, $2, $3, 'USD')`;
  await client.query(open, [id, buyer.user, seller.user]);
}

/** External work of these orders' operations, and the result of each step. */
// biome-ignore format: a table.
const EXTERNAL_WORK: readonly ExternalWork[] = [
  // The first contract of the order was abandoned before it was funded.
  { id: 'op_deploy_first', kind: 'create-escrow', of: 'ord_deal', contract: 'Cfirst', steps: [['deploy', 'DONE']] },
  { id: 'op_fund_first', kind: 'fund-escrow', of: 'ord_deal', contract: 'Cfirst', steps: [['fund', 'REFUSED']], status: 'REFUSED' },
  { id: 'op_deploy', kind: 'create-escrow', of: 'ord_deal', steps: [['deploy', 'DONE']] },
  { id: 'op_fund', kind: 'fund-escrow', of: 'ord_deal', steps: [['read', 'DONE'], ['cover-1', 'DONE'], ['fund', 'DONE']] },
  { id: 'op_resolve', kind: 'resolve-dispute', of: 'ord_deal', steps: [['read', 'DONE'], ['dispute', 'DONE'], ['resolve', 'DONE']] },
  { id: 'op_batch', kind: 'mirror', of: 'usr_ann', steps: [] },
  { id: 'op_deploy_2', kind: 'create-escrow', of: 'ord_under_way', steps: [['deploy', 'DONE']] },
  { id: 'op_fund_2', kind: 'fund-escrow', of: 'ord_under_way', steps: [['fund', 'DONE']] },
  { id: 'op_deploy_3', kind: 'create-escrow', of: 'ord_moving', steps: [['deploy', 'DONE']] },
  { id: 'op_fund_3', kind: 'fund-escrow', of: 'ord_moving', steps: [['fund', 'DONE']] },
  { id: 'op_release', kind: 'release-order', of: 'ord_moving', steps: [['complete-1', 'DONE'], ['approve-1', 'CLAIMED']], status: 'RUNNING' },
];
