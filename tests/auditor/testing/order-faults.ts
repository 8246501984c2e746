//! Planted faults of orders, of their external effects, and of provider notifications.
import type { JournalEntry } from '../journal.ts';
import type { Fault } from './fault.ts';

const dropRules = (table: string, ...rules: readonly string[]) =>
  rules.map((rule) => `alter table ${table} drop constraint ${table}_${rule};`).join('');
const orderEntry = (kind: string) => `(select id from entry where kind = '${kind}')`;
const auditOfOrder = (action: string) =>
  `action = '${action}' and resource_id in ('ord_deal', 'dsp_deal')`;

const hashOf = (purpose: string) => `hash of ${purpose}`;
const change =
  (purpose: string, more: Partial<JournalEntry>) => (entries: readonly JournalEntry[]) =>
    entries.map((each) => (each.txHash === hashOf(purpose) ? { ...each, ...more } : each));
const without = (purpose: string) => (entries: readonly JournalEntry[]) =>
  entries.filter(({ txHash }) => txHash !== hashOf(purpose));
const repeat = (purpose: string) => (entries: readonly JournalEntry[]) => [
  ...entries,
  ...change(purpose, { seq: 99, txHash: 'another' })(entries).filter(({ seq }) => seq === 99),
];

// biome-ignore format: a table.
export const ORDER_FAULTS: readonly Fault[] = [
  { name: 'an escrow with less than it received', by: ['I5'], names: `select 'ord_under_way'`,
    plant: `update orders set amount = 1300 where id = 'ord_under_way';
      update escrow set amount = 1300 where order_id = 'ord_under_way';
      update milestone set amount = 650 where order_id = 'ord_under_way'` },
  { name: 'an order without its escrow', by: ['I5'], names: `select 'ord_under_way'`,
    plant: `update orders set escrow_id = null where id = 'ord_under_way'` },
  { name: 'an order whose hold is gone', by: ['I5', 'I9'], names: `select 'ord_given_up'`,
    plant: `update orders set status = 'FUNDS_RESERVED', close_reason = null where id = 'ord_given_up'` },
  { name: 'an order of a user from another marketplace', by: ['I5'], names: `select 'ord_given_up'`,
    plant: `update orders set buyer_id = 'usr_cid' where id = 'ord_given_up'` },
  { name: 'a closed order among the open ones', by: ['I5'], names: `select 'ord_given_up'`,
    plant: `insert into open_order select marketplace_id, id from orders where id = 'ord_given_up'` },
  { name: 'a milestone of no order', by: ['I5'], names: `select 'mil_m1'`,
    plant: `update milestone set order_id = 'ord_nowhere'` },
  { name: 'a dispute that its order does not name', by: ['I5', 'I9'], names: `select 'dsp_under_way'`,
    plant: `update orders set status = 'IN_PROGRESS', dispute_id = null where id = 'ord_under_way'` },
  { name: 'a hold of no order', by: ['I5', 'I4'], names: `select 'ord_nowhere'`,
    plant: `update reservation set subject_id = 'ord_nowhere' where subject_id = 'ord_given_up'` },
  { name: 'money in escrow for no order', by: ['I5'], names: `select 'ord_nowhere'`,
    plant: `update account set owner_id = 'ord_nowhere' where kind = 'escrow' and owner_id = 'ord_under_way'` },
  { name: 'a contract that holds less', by: ['I5'], names: `select 'Cord_under_way'`, plant: '',
    journal: change('fund-escrow:fund:op_fund_2', { amount: '11' }) },
  { name: 'an unknown contract with a holding', by: ['I5', 'I7'], names: `select 'Cother'`, plant: '',
    journal: change('fund-escrow:fund:op_fund', { contractId: 'Cother', orderId: 'ord_other' }) },

  { name: 'a second settlement', by: ['I6', 'I10'], names: `select 'ord_deal'`,
    plant: `update entry set correlation_id = 'another request' where kind = 'order_refund'` },
  { name: 'a released order without a payment', by: ['I6'], names: `select 'ord_given_up'`,
    plant: `update orders set close_reason = 'RELEASED' where id = 'ord_given_up'` },
  { name: 'an order that paid another party than its close reason', by: ['I6'], names: `select 'ord_deal'`,
    plant: `update orders set close_reason = 'REFUNDED' where id = 'ord_deal'` },
  { name: 'another fee than was agreed', by: ['I6'], names: `select 'ord_deal'`,
    plant: `update orders set fee_basis_points = 600 where id = 'ord_deal';
      update escrow set fee_basis_points = 600 where order_id = 'ord_deal'` },
  { name: 'another split than was decided', by: ['I6'], names: `select 'ord_deal'`,
    plant: `update dispute set release_amount = 700, refund_amount = 500 where id = 'dsp_deal'` },
  { name: 'a fee of no order', by: ['I6', 'I10'], names: `select ${orderEntry('order_fee')}`,
    plant: `update entry set subject_id = 'ord_nowhere' where kind = 'order_fee'` },

  { name: 'a step that never took effect', by: ['I7'], names: `select 'op_deploy_2'`, plant: '',
    journal: without('create-escrow:deploy:op_deploy_2') },
  { name: 'an effect without a step', by: ['I7'], names: `select 'hash of create-escrow:deploy:op_deploy_2'`,
    plant: `delete from operation_step where operation_id = 'op_deploy_2'` },
  { name: 'an effect that took place twice', by: ['I7', 'I5'], names: `select 'Cord_under_way'`, plant: '',
    journal: repeat('fund-escrow:fund:op_fund_2') },
  { name: 'an effect of a refused step', by: ['I7'], names: `select 'op_deploy_2'`,
    plant: `update operation_step set status = 'REFUSED' where operation_id = 'op_deploy_2'` },
  { name: 'an effect for another order', by: ['I7'], names: `select 'op_deploy_2'`, plant: '',
    journal: change('create-escrow:deploy:op_deploy_2', { orderId: 'ord_deal' }) },
  { name: 'another effect', by: ['I7'], names: `select 'op_deploy_2'`, plant: '',
    journal: change('create-escrow:deploy:op_deploy_2', { effect: 'escrow.withdraw' }) },
  { name: 'an effect on another part', by: ['I7'], names: `select 'complete-1'`, plant: '',
    journal: change('release-order:complete-1:op_release', { milestoneIndex: 1 }) },
  { name: 'a payment of ours without a record', by: ['I7'], names: `select 'another'`, plant: '',
    journal: repeat('fund-escrow:cover-1:op_fund') },
  { name: "a payment from a user's address without a record", by: ['I7'], names: `select 'GANN'`, plant: '',
    journal: (entries) => [...entries, { seq: 99, effect: 'ledger.payment', txHash: 'stolen', from: 'GANN', amount: '1' }] },
  { name: 'a settled payment that was never made', by: ['I7'], names: `select 'mirror:op_batch'`, plant: '',
    journal: without('mirror:op_batch') },
  { name: 'a transfer of another amount', by: ['I7'], names: `select 'hash of mirror:op_batch'`, plant: '',
    journal: change('mirror:op_batch', { amount: '11' }) },
  { name: 'a transfer without a mirror item', by: ['I7'], names: `select 'hash of mirror:op_batch'`,
    plant: `delete from mirror_item where batch_id = 'op_batch'` },

  { name: 'a move that is not allowed', by: ['I9', 'I20'], names: `select 'ord_deal'`,
    plant: `update audit set before = '{"status":"ESCROW_FUNDING"}' where ${auditOfOrder('ESCROW_CREATED')}` },
  { name: 'a move out of a final status', by: ['I9', 'I20'], names: `select 'ord_given_up'`,
    plant: `update audit set before = '{"status":"CLOSED"}', after = '{"status":"FUNDS_RESERVED"}'
      where action = 'ORDER_CANCELED'` },
  { name: 'a dispute whose moves lead to another status', by: ['I9'], names: `select 'dsp_under_way'`,
    plant: `update dispute set status = 'UNDER_REVIEW', assigned_to = 'agent' where id = 'dsp_under_way'` },
  { name: 'a change without an audit row', by: ['I9', 'I20'], names: `select 'ord_under_way'`,
    plant: `delete from audit where action = 'ESCROW_CREATED' and resource_id = 'ord_under_way'` },
  { name: 'an order in flight without an open operation', by: ['I9'], names: `select 'ord_moving'`,
    plant: `delete from open_operation` },
  { name: 'a decision without an open operation', by: ['I9'], names: `select 'ord_under_way'`,
    plant: `update dispute set status = 'UNDER_REVIEW', assigned_to = 'agent', decision = 'FULL_REFUND',
        release_amount = 0, refund_amount = 1200, claimed_by = 'key', claimed_operation_id = 'op_gone'
      where id = 'dsp_under_way'` },
  { name: 'an operation that has ended and is still open', by: ['I9', 'I7'], names: `select 'op_release'`,
    plant: `update operation set status = 'DONE' where id = 'op_release'` },

  { name: 'an event of a provider twice', by: ['I13'], names: `select 'whk_funded'`,
    plant: `${dropRules('inbox', 'pkey')}drop index inbox_id_key;
      insert into inbox select * from inbox where provider_event_id = 'whk_funded'` },
  { name: 'an event that was applied and changed nothing', by: ['I13'], names: `select 'whk_funded'`,
    plant: `update inbox set correlation_id = 'another request' where provider_event_id = 'whk_funded'` },
  { name: 'an event that came too late and changed something', by: ['I13'], names: `select 'whk_late'`,
    plant: `update inbox set correlation_id = 'webhook-funded' where provider_event_id = 'whk_late'` },
  { name: 'an event of no order', by: ['I13'], names: `select 'whk_late'`,
    plant: `update inbox set resource_id = 'ord_nowhere' where provider_event_id = 'whk_late'` },
  { name: 'an event that was parked without a reason', by: ['I13'], names: `select 'whk_odd'`,
    plant: `update inbox set last_error = null where provider_event_id = 'whk_odd'` },
];
