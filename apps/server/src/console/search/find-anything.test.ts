import { randomUUID } from 'node:crypto';
import type { OrderId, UserId } from '@holdfast/kernel/ids';
import { beforeAll, expect, it } from 'vitest';
import { releaseOrder } from '../../orders/settlement/release-order.ts';
import { read } from '../../platform/database/transact.ts';
import { escrowOrderIn, useEscrowWorld } from '../../testing/escrows.ts';
import { usersWith } from '../../testing/mirrored.ts';
import { desk } from '../../testing/operators.ts';
import { aNotification } from '../../testing/scenarios/console-scenarios.ts';
import { addNamesakes, rowsReadBy } from '../../testing/scenarios/namesakes.ts';
import { useOpened } from '../../testing/use-world.ts';
import { createEndpoint, openReceiver, runLane } from '../../testing/webhook-receiver.ts';
import { findAnything } from './find-anything.ts';
import { byEmail, namesOf } from './search-rows.ts';

const { world, market } = useEscrowWorld();
let orderId: OrderId;
let userId: UserId;
const receiver = useOpened(openReceiver);
const email = `ada.${randomUUID()}@example.com`;
const externalUserId = `customer/${randomUUID()}`;
const clientOrderRef = `shop ${randomUUID()}`;
beforeAll(async () => {
  const body = { externalUserId, email };
  userId = (await market.send('POST', '/users', { body })).json.data.data.id as UserId;
  orderId = (await escrowOrderIn(world, market, 'IN_PROGRESS', { clientOrderRef })).id;
  await releaseOrder(world.app, market.call, orderId, {});
});

const found = async (text: string, from = market) =>
  (await findAnything(world.app, from.call, text)).map(
    ({ goTo, matchedBy }) => `${matchedBy}: ${goTo.type} ${goTo.id}`,
  );
const one = async <T>(text: string, value: string) =>
  (await world.rows<{ v: T }>(text, [value]))[0]?.v as T;

it('finds by our own ids, and by their prefix', async () => {
  expect(await found(orderId)).toEqual([`id: Order ${orderId}`]);
  expect(await found(` ${orderId.toUpperCase()} `)).toEqual([`id: Order ${orderId}`]);
  expect(await found(orderId.slice(0, 20))).toContain(`id: Order ${orderId}`);
  expect(await found(userId)).toContain(`id: User ${userId}`);
  const escrowId = await one<string>('select id as v from escrow where order_id = $1', orderId);
  expect(await found(escrowId)).toEqual([`id: Order ${orderId}`]);
  const operationId = await one<string>(
    'select id as v from operation where resource_id = $1 limit 1',
    orderId,
  );
  expect(await found(operationId)).toEqual([`id: Operation ${operationId}`]);
  const notificationId = await aNotification({ world, market });
  expect(await found(notificationId)).toEqual([`id: ProviderNotification ${notificationId}`]);
  await world.sequence();
  const eventId = await one<string>('select id as v from event where aggregate_id = $1', orderId);
  expect(await found(eventId)).toEqual([`id: Event ${eventId}`]);
  // Its time, and a letter of its random part.
  expect(await found(eventId.slice(0, 16))).toEqual([`id: Event ${eventId}`]);
  expect(await found(eventId.slice(0, 9))).toHaveLength(8);
  expect(await found('evt_o')).toEqual([]);
});

it('finds a part by its own id, and leads to the whole', async () => {
  const milestones = [{ ref: 'one', title: 'First', amount: '100.00' }];
  const order = await escrowOrderIn(world, market, 'UNDER_REVIEW', { milestones });
  const { disputeId } = order;
  const note = { text: 'The courier has a signature.' };
  const evidence = { party: 'SELLER', statement: 'It was whole when it left.' };
  const sent = async (path: string, body: object) =>
    (await market.send('POST', `/disputes/${disputeId}/${path}`, { body })).json.data.data.id;
  const milestoneId = await one<string>(
    'select id as v from milestone where order_id = $1',
    order.id,
  );
  const parts: [string, string][] = [
    [milestoneId, `id: Order ${order.id}`],
    [await sent('notes', note), `id: Dispute ${disputeId}`],
    [await sent('evidence', evidence), `id: Dispute ${disputeId}`],
  ];
  const otherMarket = await world.market();
  for (const [id, hit] of parts) {
    expect(await found(id)).toEqual([hit]);
    expect(await found(id.slice(0, -4))).toEqual([hit]);
    // So short a prefix matches too many ids, of any marketplace.
    expect(await found(id.slice(0, 8))).toEqual([]);
    expect(await found(id, otherMarket)).toEqual([]);
  }
});

it('finds the operators of a marketplace, and of no other', async () => {
  const support = await desk(world, { role: 'support', marketplaceId: market.id });
  const otherMarket = await world.market();
  const elsewhere = await desk(world, { role: 'support', marketplaceId: otherMarket.id });
  expect(await found(support.id)).toEqual([`id: Operator ${support.id}`]);
  expect(await found(support.id.slice(0, 16))).toContain(`id: Operator ${support.id}`);
  expect(await found(elsewhere.id)).toEqual([]);
  expect(await found(support.id, otherMarket)).toEqual([]);
});

it('finds the entry of a line in a history, of a member and of a wallet', async () => {
  const entry = await one<string>(
    `select id::text as v from entry where subject_id = $1 order by id limit 1`,
    orderId,
  );
  const line = `txn_${entry.padStart(20, '0')}`;
  expect(await found(line)).toEqual([`id: LedgerEntry ${entry}`]);
  expect(await found(line, await world.market())).toEqual([]);
  await world.rows(
    `insert into deposit (marketplace_id, operation_id, transfer_index, line_id, user_id, address,
      from_address, hash, asset, stroops, currency, amount, dust_stroops, occurred_at, credited_at,
      entry_id)
    select marketplace_id, '257698041856000001', 0, 'txn_00000000257698041856000001', id, 'G', 'G',
      'aa', 'USDC', 1000000, 'USD', 10, 0, now(), now(), $2 from users where id = $1`,
    [userId, entry],
  );
  expect(await found('txn_00000000257698041856000001')).toEqual([`id: LedgerEntry ${entry}`]);
});

it("finds an order by a hash of the ledger, by its contract and by the caller's reference", async () => {
  const rows = await world.rows<{ hash: string }>(
    `select e.hash from envelope e join operation o on e.purpose like '%' || o.id
     where o.resource_id = $1`,
    [orderId],
  );
  expect(rows.length).toBeGreaterThan(1);
  for (const { hash } of rows) {
    expect(await found(hash)).toEqual([`transactionHash: Order ${orderId}`]);
    expect(await found(hash.slice(0, 16))).toEqual([`transactionHash: Order ${orderId}`]);
  }
  const contract = await one<string>(
    'select provider_contract_id as v from escrow where order_id = $1',
    orderId,
  );
  expect(await found(contract)).toEqual([`contractId: Order ${orderId}`]);
  expect(await found(clientOrderRef)).toEqual([`clientOrderRef: Order ${orderId}`]);
  expect(await found(clientOrderRef.slice(0, 15))).toEqual([`clientOrderRef: Order ${orderId}`]);
});

it('finds a user by e-mail in any case, external id and address', async () => {
  expect(await found(email.toUpperCase())).toEqual([`email: User ${userId}`]);
  expect(await found(externalUserId)).toEqual([`externalUserId: User ${userId}`]);
  await world.runWorker();
  const address = await one<string>('select address as v from wallet where user_id = $1', userId);
  expect(await found(address)).toEqual([`ledgerAddress: User ${userId}`]);
});

it('finds a short name as a whole, and a longer one by its prefix', async () => {
  const short = randomUUID().slice(0, 5);
  const body = { externalUserId: short };
  const id = (await market.send('POST', '/users', { body })).json.data.data.id as UserId;
  expect(await found(short)).toEqual([`externalUserId: User ${id}`]);
  expect(await found(short.slice(0, 4))).toEqual([]);
  expect(await found(email.slice(0, 5))).toEqual([]);
  expect(await found(email.slice(0, 6))).toEqual([`email: User ${userId}`]);
});

it('lets an operator guess no address by prefix: found whole, shown masked', async () => {
  const viewer = await desk(world, { role: 'viewer', marketplaceId: market.id });
  const named = `member:x.${email}`;
  await market.send('POST', '/users', { body: { externalUserId: named, email: `x.${email}` } });
  const seen = async (text: string) =>
    (await viewer.send('GET', `/search?q=${encodeURIComponent(text)}`)).json.data.data.hits;
  expect(await seen(email.slice(0, -1))).toEqual([]);
  expect(await seen(named.slice(0, -1))).toEqual([]);
  expect(await seen(email)).toMatchObject([{ matched: 'a•••@e•••.com' }]);
  const [hit] = await seen(named);
  expect([hit.matched, hit.title]).toEqual(Array(2).fill('m•••@e•••.com'));
  expect((await findAnything(world.app, market.call, named.slice(0, -1)))[0]?.matched).toBe(named);
});

it('finds approvals, webhooks and their deliveries', async () => {
  const finance = await desk(world, { role: 'finance', marketplaceId: market.id });
  const path = `/users/${userId}/balance/credit`;
  const requested = await finance.send('POST', path, { body: { amount: '1.00' } });
  const approvalId = requested.json.data.data.id as string;
  expect(await found(approvalId)).toEqual([`id: Approval ${approvalId}`]);
  const { id } = await createEndpoint(market, { url: receiver.url });
  const tested = await market.send('POST', `/webhook-endpoints/${id}/test`);
  const laneId = tested.json.data.data.id;
  await runLane(world, market, laneId);
  const deliveryId = await one<string>(
    'select id as v from webhook_delivery where lane_id = $1',
    laneId,
  );
  for (const each of [id, laneId, deliveryId]) {
    expect(await found(each)).toEqual([`id: WebhookEndpoint ${id}`]);
    expect(await found(each, await world.market())).toEqual([]);
  }
});

it('finds a request by the id in its response, and by its Idempotency-Key', async () => {
  const [requestId, key] = [randomUUID(), randomUUID()];
  const headers = { 'x-request-id': requestId, 'idempotency-key': key };
  await market.send('POST', '/users', { body: { externalUserId: randomUUID() }, headers });
  await world.app.requests.flush();
  expect(await found(requestId)).toEqual([`requestId: LoggedRequest ${requestId}`]);
  expect(await found(key)).toEqual([`idempotencyKey: IdempotencyKey ${key}`]);
  const logged = await one<string>(
    'select id as v from request_log where request_id = $1',
    requestId,
  );
  expect(await found(logged)).toEqual([`id: LoggedRequest ${requestId}`]);
  const otherMarket = await world.market();
  expect(await found(key.toUpperCase())).toEqual([`idempotencyKey: IdempotencyKey ${key}`]);
  for (const text of [requestId, key, logged]) expect(await found(text, otherMarket)).toEqual([]);
});

it('finds the users whose money a mirror transfer carried', async () => {
  const own = await world.market();
  const users = await usersWith(world, own, 2);
  expect(await world.mirror(own)).toBe(0);
  const hash = await one<string>(
    `select e.hash as v from envelope e join marketplace m on m.id = e.marketplace_id
     where e.purpose like 'mirror:%' and m.public_id = $1`,
    own.id,
  );
  expect(await found(hash, own)).toEqual(users.map((id) => `transactionHash: User ${id}`));
  expect(await found(hash, market)).toEqual([]);
});

it('finds nothing of another marketplace, and takes no text as a pattern', async () => {
  const otherMarket = await world.market();
  for (const text of [orderId, userId, email, externalUserId, clientOrderRef])
    expect(await found(text, otherMarket)).toEqual([]);
  for (const text of ['%%%', '___', "' or 1=1", 'ord_%', '\\\\\\'])
    expect(await found(text)).toEqual([]);
});

it('finds namesakes without a read of other users', async () => {
  const quiet = await world.market();
  await addNamesakes(world, quiet, 'Same@example.com');
  await world.rows('analyze users');
  const [hits, rows] = await read(world.app, quiet.call, async (tx) => {
    const query = byEmail(tx, namesOf('same@e'));
    return [await tx.query(query), await rowsReadBy(tx, query)];
  });
  expect([hits.length, rows]).toEqual([8, 8]);
});
