//! Top-ups, withdrawals and deposits in the healthy world. Each change has its audit row and event,
//! its money moves through the posting functions, and the external state matches.
import type { Client } from 'pg';
import type { NetworkPayment } from '../external-state.ts';
import type { JournalEntry } from '../journal.ts';
import { openOperation } from './external-work.ts';
import {
  ACTOR,
  newId,
  one,
  type Purse,
  pass,
  writeDown,
  writeEnvelope,
  writeStep,
} from './rows.ts';

/** One request: the status it leads to, and its effect on the money. */
interface Change {
  readonly to: string;
  readonly posting?: string;
  readonly request?: string;
}

interface Life {
  readonly kind: 'TopUp' | 'Withdrawal';
  readonly id: string;
  readonly changes: readonly Change[];
}

const hold = () => `hold_for_withdrawal(%, p_reservation => '${newId('rsv')}')`;
const give = (isConfirmed = true) =>
  `return_withdrawal_hold(%, p_is_confirmed => ${isConfirmed}, p_note => null)`;

// biome-ignore format: a table.
const LIVES = (): readonly Life[] => [
  { kind: 'TopUp', id: 'topup_paid', changes: [
    { to: 'TOPUP_CREATED' }, { to: 'TOPUP_AWAITING_USER_CONFIRMATION' },
    { to: 'TOPUP_SUCCEEDED', posting: 'credit_topup(%, p_is_confirmed => true)', request: 'webhook-paid' }] },
  { kind: 'TopUp', id: 'topup_late', changes: [
    { to: 'TOPUP_CREATED' }, { to: 'TOPUP_AWAITING_USER_CONFIRMATION' }, { to: 'TOPUP_CANCELED' }] },
  { kind: 'TopUp', id: 'topup_open', changes: [
    { to: 'TOPUP_CREATED' }, { to: 'TOPUP_AWAITING_USER_CONFIRMATION' }] },
  { kind: 'Withdrawal', id: 'wd_paid', changes: [
    { to: 'WITHDRAWAL_CREATED', posting: hold() }, { to: 'WITHDRAWAL_COMMITTED' },
    { to: 'WITHDRAWAL_PENDING' }, { to: 'WITHDRAWAL_COMPLETED', posting: 'pay_withdrawal(%)' }] },
  { kind: 'Withdrawal', id: 'wd_failed', changes: [
    { to: 'WITHDRAWAL_CREATED', posting: hold() }, { to: 'WITHDRAWAL_COMMITTED' },
    { to: 'WITHDRAWAL_PENDING' }, { to: 'WITHDRAWAL_FAILED', posting: give(false) }] },
  { kind: 'Withdrawal', id: 'wd_canceled', changes: [
    { to: 'WITHDRAWAL_CREATED', posting: hold() }, { to: 'WITHDRAWAL_CANCELED', posting: give() }] },
  { kind: 'Withdrawal', id: 'wd_stopped', changes: [
    { to: 'WITHDRAWAL_CREATED', posting: hold() }, { to: 'WITHDRAWAL_COMMITTED' },
    { to: 'WITHDRAWAL_PENDING' }, { to: 'WITHDRAWAL_CANCELED', posting: give() }] },
  { kind: 'Withdrawal', id: 'wd_sent', changes: [
    { to: 'WITHDRAWAL_CREATED', posting: hold() }, { to: 'WITHDRAWAL_COMMITTED' },
    { to: 'WITHDRAWAL_COMPLETED', posting: 'pay_withdrawal(%)' }] },
  { kind: 'Withdrawal', id: 'wd_held', changes: [{ to: 'WITHDRAWAL_CREATED', posting: hold() }] },
];

// biome-ignore format: a table.
const PAYMENTS: readonly (readonly [effect: string, code: string, amount: string, fee?: string])[] = [
  ['payment.payin.create', 'topup_paid', '50'],     ['payment.payin.confirm', 'topup_paid', '50', '0.6'],
  ['payment.payin.create', 'topup_late', '7'],      ['payment.payin.confirm', 'topup_late', '7'],
  ['payment.payin.create', 'topup_open', '8'],
  ['payment.payout.create', 'wd_paid', '10.1'],     ['payment.payout.commit', 'wd_paid', '10.1'],
  ['payment.payout.complete', 'wd_paid', '10.1'],
  ['payment.payout.create', 'wd_failed', '10.2'],   ['payment.payout.commit', 'wd_failed', '10.2'],
  ['payment.payout.fail', 'wd_failed', '10.2'],
  ['payment.payout.create', 'wd_stopped', '10.6'],  ['payment.payout.commit', 'wd_stopped', '10.6'],
  ['payment.payout.cancel', 'wd_stopped', '10.6'],
];

const SENT = 'commit-withdrawal:pay:op_wd_sent';

export async function payInAndOut(
  client: Client,
  ann: Purse,
  ben: Purse,
): Promise<Omit<JournalEntry, 'seq'>[]> {
  const { marketplace } = ann;
  await requestWithdrawals(client, ben.user, ann.user, marketplace);
  for (const life of LIVES()) {
    let from: string | null = null;
    for (const change of life.changes) {
      await write(client, marketplace, life, from, change);
      from = change.to;
    }
  }
  await suspendLate(client, marketplace);
  await chargeFee(client, marketplace);
  await work(client, marketplace);
  await deposit(client, marketplace, ann.user);
  const sent = { effect: 'ledger.payment', txHash: `hash of ${SENT}`, asset: 'USDC' };
  return [
    ...PAYMENTS.map(([effect, code, amount, fee]) => ({
      effect,
      code,
      amount,
      ...(fee && { fee }),
    })),
    { ...sent, from: 'GANN', to: 'GSTRANGER', amount: '3.33' },
  ];
}

async function requestWithdrawals(
  client: Client,
  ben: string,
  ann: string,
  marketplace: string,
): Promise<void> {
  await client.query(
    `insert into topup (marketplace_id, id, user_id, status, amount, currency, metadata,
       provider_payin_id, confirmation_uri, fee_paid_by, created_at, updated_at)
     select $1, id, $2, 'TOPUP_CREATED', amount, 'USD', '{}', 'pay-in of ' || id, '', 'USER',
       now(), now()
     from (values ('topup_paid', 5000), ('topup_late', 700), ('topup_open', 800)) as requested (id, amount)`,
    [marketplace, ben],
  );
  await client.query(
    `insert into topup_poll values ($1, 'topup_open', now(), now() + interval '1 hour', null)`,
    [marketplace],
  );
  await client.query(
    `insert into withdrawal (marketplace_id, id, user_id, status, amount, currency,
       destination_type, destination_ref, expires_at, created_at, updated_at)
     select $1, id, holder, 'WITHDRAWAL_CREATED', amount, 'USD', type, ref,
       now() + interval '7 days', now(), now()
     from (values ('wd_paid', $2, 1010, 'payment_account', 'ben'),
       ('wd_failed', $2, 1020, 'bank', 'ben'), ('wd_held', $2, 1040, 'payment_account', 'ben'),
       ('wd_canceled', $2, 1050, 'crypto', 'GBEN'), ('wd_stopped', $2, 1060, 'bank', 'ben'),
       ('wd_sent', $3, 333, 'crypto', 'GSTRANGER')) as requested (id, holder, amount, type, ref)`,
    [marketplace, ben, ann],
  );
}

async function write(
  client: Client,
  marketplace: string,
  { kind, id }: Life,
  from: string | null,
  { to, posting, request }: Change,
): Promise<void> {
  const correlation = request ?? `${to} of ${id}`;
  const now = new Date().toISOString();
  const table = kind === 'TopUp' ? 'topup' : 'withdrawal';
  await client.query(
    `update ${table} set status = $2 ${
      to === 'TOPUP_SUCCEEDED'
        ? `, received = amount, received_currency = 'USD', received_at = now()`
        : ''
    } ${to === 'WITHDRAWAL_COMPLETED' ? ', completed_at = now()' : ''} where id = $1`,
    [id, to],
  );
  const row = { marketplace, at: now, action: to, type: kind, id, correlation };
  const change = { before: { status: from }, after: { status: to } };
  await writeDown(client, { ...row, ...change, event: [eventOf(to), id] });
  if (posting !== undefined) await pass(client, posting, table, [now, id, correlation]);
}

function eventOf(status: string): string {
  if (status === 'TOPUP_AWAITING_USER_CONFIRMATION') return 'topup.confirmation_required';
  return status.toLowerCase().replace('_', '.');
}

/** The top-up was canceled before its money came in. */
async function suspendLate(client: Client, marketplace: string): Promise<void> {
  const [at, correlation] = [new Date().toISOString(), 'late money'];
  const row = { marketplace, action: 'TOPUP_MONEY_SUSPENDED', type: 'TopUp', id: 'topup_late' };
  await writeDown(client, { ...row, at, correlation, after: { suspended: '7.00' } });
  await client.query(`update topup set received = 700, received_currency = 'USD', received_at = now()
    where id = 'topup_late'`);
  await pass(client, 'suspend_topup(%)', 'topup', [at, 'topup_late', correlation]);
}

/** The provider keeps a fee, and the user bears it. */
async function chargeFee(client: Client, marketplace: string): Promise<void> {
  const [at, correlation] = [new Date().toISOString(), 'the fee'];
  const row = { marketplace, action: 'TOPUP_FEE_BOOKED', type: 'TopUp', id: 'topup_paid' };
  await writeDown(client, { ...row, at, correlation, after: { fee: '0.60' } });
  await client.query(`update topup set fee = 60 where id = 'topup_paid'`);
  await pass(client, 'book_topup_fee(%)', 'topup', [at, 'topup_paid', correlation]);
}

/** Their operations, with the steps that reached the provider or the network. */
async function work(client: Client, marketplace: string): Promise<void> {
  const steps = {
    topup_paid: ['create'],
    topup_late: ['create'],
    topup_open: ['create'],
    wd_paid: ['create', 'commit'],
    wd_failed: ['create', 'commit'],
    wd_stopped: ['create', 'commit'],
    wd_sent: ['pay'],
  };
  for (const [of, names] of Object.entries(steps)) {
    const kind = of.startsWith('topup') ? 'create-topup' : 'commit-withdrawal';
    await openOperation(client, marketplace, { id: `op_${of}`, kind, of, steps: [] });
    for (const name of names)
      await writeStep(client, marketplace, `op_${of}`, [name, 'DONE', `${kind}:${name}:op_${of}`]);
  }
  const hash = await writeEnvelope(client, marketplace, SENT);
  await client.query(`update withdrawal set transaction_hash = $1 where id = 'wd_sent'`, [hash]);
}

const GIFTS = [
  { operation: '1001', hash: 'gift', stroops: 50_512_345, amount: 505, dust: 12_345 },
  { operation: '1002', hash: 'crumb', stroops: 1, amount: 0, dust: 1 },
];

/** One deposit credits whole cents and leaves dust; one is dust alone. */
async function deposit(client: Client, marketplace: string, user: string): Promise<void> {
  for (const { operation, hash, stroops, amount, dust } of GIFTS)
    await client.query(
      `insert into deposit (marketplace_id, operation_id, transfer_index, line_id, user_id, address,
         from_address, hash, asset, stroops, currency, amount, dust_stroops, occurred_at, credited_at)
       values ($1, $2, 0, 'txn_' || $2, $3, 'GANN', 'GSTRANGER', $4, 'USDC', $5, 'USD', $6, $7,
         now(), now())`,
      [marketplace, operation, user, hash, stroops, amount, dust],
    );
  await one(client, `select books.credit_deposit(now(), '1001', 0, $1, $2, 'deposit-ann')`, [
    newId('aud'),
    ACTOR,
  ]);
  await client.query(
    `insert into wallet_mirror (marketplace_id, user_id, asset, dust_stroops, updated_at)
     values ($1, $2, 'USDC', 12346, now())`,
    [marketplace, user],
  );
}

const line = (
  operation: string,
  hash: string,
  more: Omit<NetworkPayment, 'operation' | 'hash' | 'part'>,
) => ({
  operation,
  part: 0,
  hash,
  ...more,
});

/** Payments to and from external payers; and one of our own, which is no deposit. */
// biome-ignore format: a table.
export const NETWORK_PAYMENTS: readonly NetworkPayment[] = [
  line('900', 'given', { from: 'GISSUER', to: 'GTREASURY', asset: 'USDC', amount: '1000' }),
  line('901', 'lumens', { from: 'GROOT', to: 'GTREASURY', asset: 'XLM', amount: '10' }),
  line('902', 'hash of mirror:op_batch', { from: 'GTREASURY', to: 'GANN', asset: 'USDC', amount: '12' }),
  line('903', 'hash of resolve-dispute:resolve:op_resolve', { from: 'Cord_deal', to: 'GVENDOR', asset: 'USDC', amount: '0.036' }),
  line('1001', 'gift', { from: 'GSTRANGER', to: 'GANN', asset: 'USDC', amount: '5.0512345' }),
  line('1002', 'crumb', { from: 'GSTRANGER', to: 'GANN', asset: 'USDC', amount: '0.0000001' }),
  line('1003', `hash of ${SENT}`, { from: 'GANN', to: 'GSTRANGER', asset: 'USDC', amount: '3.33' }),
];
