//! Planted faults of top-ups, withdrawals and deposits, of their external effects, and of their
//! events and notifications.
import type { JournalEntry } from '../journal.ts';
import type { Fault } from './fault.ts';

type Entries = readonly JournalEntry[];

const isOf = (effect: string, code: string) => (each: JournalEntry) =>
  each.effect === effect && each.code === code;
const change = (effect: string, code: string, more: Partial<JournalEntry>) => (entries: Entries) =>
  entries.map((each) => (isOf(effect, code)(each) ? { ...each, ...more } : each));
const without = (effect: string, code: string) => (entries: Entries) =>
  entries.filter((each) => !isOf(effect, code)(each));
const repeat = (effect: string, code: string) => (entries: Entries) => [
  ...entries,
  ...entries.filter(isOf(effect, code)),
];
const SENT = 'hash of commit-withdrawal:pay:op_wd_sent';

// biome-ignore format: a table.
export const PAYMENT_FAULTS: readonly Fault[] = [
  { name: 'a top-up that was credited and did not succeed', by: ['I8', 'I9'], names: `select 'topup_paid'`,
    plant: `alter table topup drop constraint topup_credited_check;
      update topup set status = 'TOPUP_CANCELED' where id = 'topup_paid'` },
  { name: 'a top-up whose received money has no entry', by: ['I8'], names: `select 'topup_late'`,
    plant: `update topup set received = 701 where id = 'topup_late'` },
  { name: 'a withdrawal that failed and was paid out', by: ['I8', 'I9'], names: `select 'wd_paid'`,
    plant: `update withdrawal set status = 'WITHDRAWAL_FAILED', completed_at = null where id = 'wd_paid'` },
  { name: 'a withdrawal that was completed and given back', by: ['I8', 'I9'], names: `select 'wd_failed'`,
    plant: `update withdrawal set status = 'WITHDRAWAL_COMPLETED', completed_at = now() where id = 'wd_failed'` },
  { name: 'a withdrawal of another destination type', by: ['I8', 'I7'], names: `select 'wd_sent'`,
    plant: `update withdrawal set destination_type = 'bank' where id = 'wd_sent'` },
  { name: 'a payout that came back, without an entry', by: ['I8'], names: `select 'wd_paid'`,
    plant: `update withdrawal set returned = amount where id = 'wd_paid'` },
  { name: 'an entry of a missing top-up', by: ['I8', 'I10'], names: `select 'topup_nowhere'`,
    plant: `update entry set subject_id = 'topup_nowhere' where kind = 'topup'` },
  { name: 'a fee without its entry', by: ['I29'], names: `select 'topup_late'`,
    plant: `update topup set fee = 10 where id = 'topup_late'` },
  { name: 'a fee that the user does not bear, charged to the user', by: ['I29'], names: `select 'topup_paid'`,
    plant: `update topup set fee_paid_by = 'MARKETPLACE' where id = 'topup_paid'` },
  { name: 'a fee that the provider does not take', by: ['I29'], names: `select 'topup_paid'`, plant: '',
    journal: change('payment.payin.confirm', 'topup_paid', { fee: '0.5' }) },
  { name: 'a pay-in of another sum than was credited', by: ['I8', 'I29'], names: `select 'topup_paid'`, plant: '',
    journal: change('payment.payin.confirm', 'topup_paid', { amount: '51' }) },
  { name: 'a credit without a pay-in', by: ['I8', 'I29'], names: `select 'topup_paid'`, plant: '',
    journal: without('payment.payin.confirm', 'topup_paid') },
  { name: 'a payout that was paid twice', by: ['I8'], names: `select 'wd_paid'`, plant: '',
    journal: repeat('payment.payout.complete', 'wd_paid') },
  { name: 'a payout that was paid and whose hold was given back', by: ['I8'], names: `select 'wd_failed'`, plant: '',
    journal: change('payment.payout.fail', 'wd_failed', { effect: 'payment.payout.complete' }) },

  { name: 'unconfirmed money without a lien', by: ['I32'], names: `select id from account where owner_id = 'usr_ann'`,
    plant: `update account set unconfirmed = 1 where owner_id = 'usr_ann'` },
  { name: 'a lien on another amount than was credited', by: ['I32'], names: `select 'topup_paid'`,
    plant: `insert into lien select marketplace_id, subject_id, to_account, amount + 1, created_at, created_at
      from entry where kind = 'topup' and subject_id = 'topup_paid'` },

  { name: 'a withdrawal that was canceled and still holds its money', by: ['I30', 'I8', 'I9'], names: `select 'wd_held'`,
    plant: `update withdrawal set status = 'WITHDRAWAL_CANCELED' where id = 'wd_held'` },
  { name: 'a withdrawal that was canceled and paid out', by: ['I30', 'I8', 'I9'], names: `select 'wd_paid'`,
    plant: `update withdrawal set status = 'WITHDRAWAL_CANCELED', completed_at = null where id = 'wd_paid'` },
  { name: 'a withdrawal that was canceled and sent over the network', by: ['I30'], names: `select 'wd_canceled'`,
    plant: `update withdrawal set transaction_hash = 'gone' where id = 'wd_canceled'` },
  { name: 'a canceled payout that the provider completed', by: ['I30', 'I8'], names: `select 'wd_stopped'`, plant: '',
    journal: change('payment.payout.cancel', 'wd_stopped', { effect: 'payment.payout.complete' }) },

  { name: 'a payout that was sent twice', by: ['I7'], names: `select 'wd_failed'`, plant: '',
    journal: repeat('payment.payout.commit', 'wd_failed') },
  { name: 'a payout without a step', by: ['I7'], names: `select 'payment.payout.commit'`,
    plant: `delete from operation_step where operation_id = 'op_wd_paid' and name = 'commit'` },
  { name: 'a pay-in that was never made', by: ['I7'], names: `select 'topup_open'`, plant: '',
    journal: without('payment.payin.create', 'topup_open') },
  { name: 'a pay-in of another amount', by: ['I7'], names: `select 'topup_open'`, plant: '',
    journal: change('payment.payin.create', 'topup_open', { amount: '9' }) },
  { name: 'a cover without a treasury draw', by: ['I7'], names: `select 'fund-escrow:cover-1:op_fund'`,
    plant: 'delete from treasury_draw' },
  { name: 'a withdrawal that went to another address', by: ['I7'], names: `select 'wd_sent'`, plant: '',
    journal: (entries) => entries.map((each) => each.txHash === SENT ? { ...each, to: 'GTHIEF' } : each) },
  { name: 'a withdrawal that was paid twice over the network', by: ['I7'], names: `select '${SENT} again'`, plant: '',
    journal: (entries) => [...entries, ...entries.filter(({ txHash }) => txHash === SENT)
      .map((each) => ({ ...each, seq: 99, txHash: `${SENT} again` }))] },
  { name: 'a withdrawal without the hash of its payment', by: ['I7'], names: `select 'wd_sent'`,
    plant: `update withdrawal set transaction_hash = null where id = 'wd_sent'` },

  { name: 'a payment move that is not allowed', by: ['I9', 'I20'], names: `select 'topup_paid'`,
    plant: `update audit set before = '{"status":"TOPUP_FAILED"}' where action = 'TOPUP_SUCCEEDED'` },
  { name: 'a withdrawal with a missing move', by: ['I9', 'I20', 'I22'], names: `select 'wd_failed'`,
    plant: `delete from audit where action = 'WITHDRAWAL_PENDING' and resource_id = 'wd_failed'` },
  { name: 'a payment that is not polled', by: ['I9'], names: `select 'topup_open'`,
    plant: 'delete from topup_poll' },

  { name: 'an event of no payment', by: ['I13'], names: `select 'whk_paid'`,
    plant: `update inbox set resource_id = 'topup_nowhere' where provider_event_id = 'whk_paid'` },
  { name: 'an event that was parked without an alarm', by: ['I13', 'I20'], names: `select 'whk_wrong'`,
    plant: `delete from audit where action = 'WEBHOOK_PARKED'` },
  { name: 'a webhook that was acknowledged and not stored', by: ['I13'], names: `select 'whk_gone'`, plant: '',
    external: (world) => ({ ...world, webhooks: [{ provider: 'payment-provider', event: 'whk_gone', body: '{}' }] }) },
  { name: 'a webhook that was stored with another body', by: ['I13'], names: `select 'whk_paid'`,
    plant: `update inbox set body = '{ }' where provider_event_id = 'whk_paid'` },

  { name: 'an order without ORDER_CREATED', by: ['I22', 'I9', 'I20'], names: `select 'ord_given_up'`,
    plant: `delete from audit where action = 'ORDER_CREATED' and resource_id = 'ord_given_up'` },
  { name: 'a change of a payment without an event', by: ['I22', 'I11'], names: `select 'withdrawal.pending'`,
    plant: `delete from event where event_type = 'withdrawal.pending' and aggregate_id = 'wd_failed'` },
  { name: 'an event without a change of its payment', by: ['I22'], names: `select 'topup.failed'`,
    plant: `update event set event_type = 'topup.failed' where event_type = 'topup.canceled'` },
  { name: 'a deposit without a credit', by: ['I22'], names: `select '1001'`,
    plant: `update deposit set entry_id = null` },
  { name: 'surplus dust', by: ['I22'], names: `select 'usr_ann'`,
    plant: `update wallet_mirror set dust_stroops = dust_stroops + 1` },
  { name: 'a deposit twice', by: ['I22'], names: `select '1002'`,
    plant: `alter table deposit drop constraint deposit_pkey;
      insert into deposit select * from deposit where operation_id = '1002'` },
  { name: 'a deposit without a payment', by: ['I22'], names: `select '1001'`, plant: '',
    external: (world) => ({ ...world, payments: world.payments.filter(({ operation }) => operation !== '1001') }) },
  { name: 'a deposit of our own payment', by: ['I22'], names: `select '902'`,
    plant: `insert into deposit (marketplace_id, operation_id, transfer_index, line_id, user_id, address, from_address,
        hash, asset, stroops, currency, amount, dust_stroops, occurred_at, credited_at)
      select marketplace_id, '902', 0, '', user_id, address, 'GTREASURY', 'hash of mirror:op_batch', asset, 1,
        currency, 0, 1, now(), now() from deposit where operation_id = '1002';
      update wallet_mirror set dust_stroops = dust_stroops + 1` },
];
