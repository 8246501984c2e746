//! A small healthy world in its own database, created through the posting functions.
import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { Client } from 'pg';
import type { ExternalState } from '../external-state.ts';
import type { JournalEntry } from '../journal.ts';
import { holdAll } from './holdings.ts';
import { createOrders } from './order-fixtures.ts';
import { payInAndOut } from './payments.ts';
import { ACTOR, newId, one, type Purse, type Written, writeDown } from './rows.ts';
import { sequence } from './sequence.ts';

const MIGRATIONS = new URL(
  '../../../apps/server/src/platform/database/migrations/',
  import.meta.url,
);

export interface World {
  readonly url: string;
  readonly client: Client;
  /** The external effects of this world. */
  readonly journal: readonly JournalEntry[];
  readonly external: ExternalState;
  close(): Promise<void>;
}

export async function openWorld(): Promise<World> {
  const { DATABASE_URL = 'postgres://root@127.0.0.1:5432/postgres' } = process.env;
  const name = `hf_auditor_${process.pid}_${randomBytes(4).toString('hex')}`;
  const admin = await connect(DATABASE_URL);
  await admin.query(`create database ${name}`);
  const url = new URL(DATABASE_URL);
  url.pathname = `/${name}`;
  const client = await connect(url.href);
  const close = async () => {
    await client.end();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  };
  try {
    await migrate(client);
    const journal = await populate(client);
    const external = await holdAll(client);
    return { url: url.href, client, journal, external, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

async function migrate(client: Client): Promise<void> {
  const files = readdirSync(MIGRATIONS).filter((file) => file.endsWith('.sql'));
  for (const file of files.sort()) {
    // An online migration builds an index, which no transaction can.
    const isOnline = file.endsWith('.online.sql');
    if (!isOnline) await client.query('begin');
    await client.query(readFileSync(new URL(file, MIGRATIONS), 'utf8'));
    if (!isOnline) await client.query('commit');
  }
}

async function populate(client: Client): Promise<JournalEntry[]> {
  const shop = await createMarketplace(client, 'mkt_shop');
  const stall = await createMarketplace(client, 'mkt_stall');
  await createKey(client, shop, ACTOR);
  await createKey(client, stall, 'key_00000000000000000000000002');
  await createSuccessor(client, shop, ACTOR);
  await leaveOddRows(client, shop);
  await createOperator(client);
  const ann = await createUser(client, shop, 'usr_ann', 'USD');
  const ben = await createUser(client, shop, 'usr_ben', 'USD');
  const cid = await createUser(client, stall, 'usr_cid', 'USDC');
  await one(client, `select books.open_account($1, 'escrow', 'ord_1', 'USD', now())`, [shop]);

  const invoice = { reference: 'invoice-1', key: randomUUID(), request: randomUUID() };
  await post(client, ann, 'credit', 10_000, 'credit-ann', invoice);
  await post(client, ann, 'debit', 2_500, 'debit-ann');
  await post(client, ann, 'reserve', 3_000, 'reserve-ann', { subject: 'ord_1' });
  await post(client, ann, 'reserve', 500, 'hold-ann');
  await post(client, ann, 'unreserve', 1_000, 'unreserve-ann', { subject: 'ord_1' });
  await post(client, ann, 'spend', 500, 'spend-ann', { subject: 'ord_1' });
  // The same reference under another key, and the same key again: neither creates an entry.
  await post(client, ann, 'credit', 10_000, 'repeat-ann', { ...invoice, key: randomUUID() });
  await post(client, ann, 'credit', 10_000, 'replay-ann', invoice);
  await post(client, ben, 'credit', 5_000, 'credit-ben', { key: randomUUID() });
  await post(client, ben, 'reserve', 400, 'reserve-ben', { subject: 'ord_2' });
  await post(client, ben, 'cancel', 0, 'cancel-ben', { subject: 'ord_2' });
  await post(client, ben, 'debit', 999_999, 'refused-ben', { key: randomUUID() });
  await stopAndLift(client, stall);
  await post(client, cid, 'credit', 700, 'credit-cid', { reference: 'invoice-1' });
  await postBatch(client, ann, ben);
  const orders = await createOrders(client, ann, ben);
  const paid = await payInAndOut(client, ann, ben);
  await receiveNotifications(client, shop);
  await one(client, 'select books.compact_house_deltas($1)', [shop]);
  await sequence(client);
  // Rows that the sequencer has not processed yet.
  await post(client, cid, 'debit', 100, 'wait-cid');
  await createUser(client, shop, 'usr_dan', 'USD');
  return [...orders, ...paid].map((effect, at) => ({ ...effect, seq: at + 1 }));
}

/** The events of a stop are not what the auditor compares. */
async function stopAndLift(client: Client, marketplace: string): Promise<void> {
  const level = 'SIGNING';
  await client.query(
    `insert into marketplace_stop (marketplace_id, level, reason, stopped_by, since, settled_at,
       lifted_by, lift_reason, lifted_at)
     values ($1, $2, 'a doubt', 'master', now(), now(), 'master', 'explained', now())`,
    [marketplace, level],
  );
  const about = { marketplace, type: 'Marketplace', id: 'mkt_stall' };
  await auditRow(client, { ...about, action: 'MARKETPLACE_FROZEN', after: { level } });
  await auditRow(client, { ...about, action: 'MARKETPLACE_STOP_SETTLED', after: { level } });
  await auditRow(client, { ...about, action: 'MARKETPLACE_UNFROZEN', before: { level } });
}

/** One event came in time, one was already known, one matches nothing, one is pending. */
async function receiveNotifications(client: Client, marketplace: string): Promise<void> {
  await client.query(
    `insert into inbox (provider, provider_event_id, marketplace_id, resource_id, event_type, body,
       received_at, correlation_id, status, attempts, next_try_at, applied_at, last_error)
     values
       ('escrow-provider', 'whk_funded', $1, 'ord_under_way', 'escrow.funded', '{}', now(),
         'webhook-funded', 'APPLIED', 1, now(), now(), null),
       ('escrow-provider', 'whk_late', $1, 'ord_deal', 'escrow.resolved', '{}', now(),
         'webhook-late', 'SUPERSEDED', 1, now(), now(), null),
       ('escrow-provider', 'whk_odd', null, null, 'escrow.odd', '{}', now(), 'webhook-odd', 'PARKED',
         1, now(), null, 'it can not be read'),
       ('payment-provider', 'whk_paid', $1, 'topup_paid', 'payin.succeeded', '{}', now(),
         'webhook-paid', 'APPLIED', 1, now(), now(), null),
       ('payment-provider', 'whk_wrong', $1, 'wd_paid', 'payout.failed', '{}', now(),
         'webhook-wrong', 'PARKED', 1, now(), null, 'The amount differs from the withdrawal.'),
       ('escrow-provider', 'whk_early', null, null, 'escrow.created', '{}', now(), 'webhook-early',
         'PENDING', 1, now(), null, null)`,
    [marketplace],
  );
  const alarm = { marketplace, action: 'WEBHOOK_PARKED', type: 'Withdrawal', id: 'wd_paid' };
  const after = { provider: 'payment-provider', webhookId: 'whk_wrong' };
  await auditRow(client, { ...alarm, result: 'FAILURE', after });
}

/** An audit row by the master key; the resource id is its request id. */
function auditRow(client: Client, row: Omit<Written, 'correlation'>): Promise<void> {
  return writeDown(client, { ...row, actor: 'master', correlation: row.id });
}

async function createMarketplace(client: Client, id: string): Promise<string> {
  const marketplace = await one(
    client,
    `insert into marketplace (public_id, name, created_at) values ($1, $1, now()) returning id`,
    [id],
  );
  await auditRow(client, { marketplace, action: 'MARKETPLACE_CREATED', type: 'Marketplace', id });
  return marketplace;
}

async function createKey(client: Client, marketplace: string, id: string): Promise<void> {
  await client.query(
    `insert into api_key (marketplace_id, id, family_id, name, scopes, key_hash, created_at)
     values ($1, $2, $2, $2, '{read,write}', sha256($2::text::bytea), now())`,
    [marketplace, id],
  );
  await auditRow(client, { marketplace, action: 'API_KEY_CREATED', type: 'ApiKey', id });
}

async function createSuccessor(client: Client, marketplace: string, id: string): Promise<void> {
  await client.query(
    `insert into api_key (marketplace_id, id, family_id, name, scopes, key_hash, created_at,
       rotated_from)
     values ($1, 'key_successor', $2, $2, '{read}', sha256('next'), now(), $2)`,
    [marketplace, id],
  );
  await auditRow(client, { marketplace, action: 'API_KEY_ROTATED', type: 'ApiKey', id });
}

/** In the chain that belongs to no marketplace. */
async function createOperator(client: Client): Promise<void> {
  const about = { marketplace: '0', type: 'Operator', id: 'opr_ada' };
  for (const action of ['OPERATOR_CREATED', 'OPERATOR_STATUS_SET', 'OPERATOR_RESET'])
    await auditRow(client, { ...about, action });
}

/** Valid rows without partners: an action without event, a failure without change. */
async function leaveOddRows(client: Client, marketplace: string): Promise<void> {
  const limit = {
    marketplace,
    action: 'ADJUSTMENT_LIMIT_SET',
    type: 'Marketplace',
    id: 'mkt_shop',
  };
  await auditRow(client, limit);
  const unknownUser = { marketplace, action: 'USER_CREATED', type: 'User', id: 'usr_nobody' };
  await auditRow(client, { ...unknownUser, result: 'FAILURE' });
  await client.query(
    `insert into idempotency (marketplace_id, scope_hash, request_hash, created_at, status, response)
     values ($1, gen_random_uuid(), gen_random_uuid(), now(), 201, '{}')`,
    [marketplace],
  );
}

async function createUser(
  client: Client,
  marketplace: string,
  user: string,
  currency: string,
): Promise<Purse> {
  await client.query(
    `insert into users (marketplace_id, id, external_user_id, type, status, deposit_currency,
       created_at, updated_at) values ($1, $2, $2, 'BOTH', 'ACTIVE', $3, now(), now())`,
    [marketplace, user, currency],
  );
  await client.query(
    `insert into outbox (marketplace_id, event_type, aggregate_id, payload, actor_id,
       correlation_id) values ($1, 'user.created', $2, '{}', 'master', $2)`,
    [marketplace, user],
  );
  await auditRow(client, { marketplace, action: 'USER_CREATED', type: 'User', id: user });
  const open = 'select books.open_account($1, $2, $3, $4, now())';
  const account = await one(client, open, [marketplace, 'user', user, currency]);
  const house = await one(client, open, [marketplace, 'adjustments', '', currency]);
  return { marketplace, user, currency, account, house };
}

async function post(
  client: Client,
  purse: Purse,
  kind: string,
  amount: number,
  correlation: string,
  more: { subject?: string; reference?: string; key?: string; request?: string } = {},
): Promise<void> {
  const otherSide = ['credit', 'debit', 'spend'].includes(kind) ? purse.house : null;
  await client.query(
    `select books.post_batch(p_now => now(), p_adjustment_limit => null, p_one_by_one => true,
       p_requests => array[row($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, null, $12, $13, $14,
         $15, '192.0.2.1', null)::books.posting_request])`,
    [
      ...[kind, purse.marketplace, purse.account, purse.user, purse.currency, otherSide, amount],
      ...[more.subject ?? null, ACTOR, correlation, more.reference ?? null, more.key ?? null],
      ...[more.request ?? randomUUID(), newId('aud'), kind === 'reserve' ? newId('rsv') : null],
    ],
  );
}

/** Ann is credited 100 and reserves 30 of it, Ben is debited 10: all in one set-based call. */
async function postBatch(client: Client, ann: Purse, ben: Purse): Promise<void> {
  await client.query(
    `select books.post_batch(p_now => now(), p_adjustment_limit => null, p_one_by_one => false,
       p_requests => array[
         row('credit', $1, $2, $3, 'USD', $6, 100, null, $7, 'batch-1', null, null, null, null, $8,
           null, '192.0.2.1', 'curl/8'),
         row('reserve', $1, $2, $3, 'USD', null, 30, null, $7, 'batch-2', null, null, null, null, $9,
           $11, null, null),
         row('debit', $1, $4, $5, 'USD', $6, 10, null, $7, 'batch-3', null, null, null, null, $10,
           null, null, null)]::books.posting_request[])`,
    [
      ...[ann.marketplace, ann.account, ann.user, ben.account, ben.user, ann.house, ACTOR],
      ...[newId('aud'), newId('aud'), newId('aud'), newId('rsv')],
    ],
  );
}
