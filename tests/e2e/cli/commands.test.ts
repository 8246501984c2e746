//! The commands as a person types them, against a running set.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { EXITS } from '../../../apps/cli/src/exit-codes.ts';
import { eventually } from '../../../apps/server/src/testing/until.ts';
import { reversePayin } from '../../harness/sandbox.ts';
import { type Marketplace, openMarketplace } from './marketplace.ts';

const TIMEOUT = { timeout: 60_000 };

let marketplace: Marketplace;
beforeAll(async () => {
  marketplace = await openMarketplace();
}, 240_000);
afterAll(() => marketplace?.stop(), 60_000);

const type = (line: string | readonly string[]) => marketplace.type(line);
const read = <T>(line: string) => marketplace.read<T>(line);

interface Named {
  readonly id: string;
}

/** What `explain` prints of a record; a posting reaches the log a moment after its change. */
function explained(id: string, posting: RegExp): Promise<string> {
  return eventually(10_000, async () => {
    const { out } = await type(`explain ${id}`);
    expect(out).toMatch(posting);
    return out;
  });
}

test('commands alone take an order from creation to release', TIMEOUT, async () => {
  // Users of its own: other tests run scenarios in this marketplace at the same time.
  const anna = await read<Named>('users create anna --email anna@example.test');
  const boris = await read<Named>('users create boris --email boris@example.test');
  for (const { id } of [anna, boris]) await read(`users link ${id}`);
  await read(`users credit ${anna.id} --amount 500.00 --reference first --yes`);
  const created = await type([
    ...`orders create --buyer ${anna.id} --seller ${boris.id} --amount 120.00 --ref table-1`.split(
      ' ',
    ),
    '--title',
    'A table',
  ]);
  expect(created.out).toMatch(/^ord_\w+ {2}ORDER_CREATED\n {2}title {6}A table\n/);
  const [id = ''] = created.out.split(' ');
  expect((await type(`orders checkout ${id}`)).out).toContain('IN_PROGRESS');
  expect((await type(`orders release ${id}`)).code).toBe(EXITS.usage.code);
  expect((await type(`orders release ${id} --yes`)).out).toMatch(/CLOSED[\s\S]*RELEASED/);
  expect((await type(`users balance ${boris.id}`)).out).toContain('available  114.00 USD');
  const again = await type(`orders release ${id} --yes`);
  expect(again).toMatchObject({ code: EXITS.failed.code, out: '' });
  expect(again.err).toMatch(
    /^✗ Order status is CLOSED; this action requires .*INVALID_STATE[\s\S]*→ show the allowed actions with: holdfast explain ord_\w+\n[\s\S]*request /,
  );
});

describe('explain', () => {
  test('shows the record for any id, reference, hash or e-mail', TIMEOUT, async () => {
    const { id: disputeId } = await read<Named>('trigger dispute.split');
    const { orderId } = await read<{ orderId: string }>(`disputes get ${disputeId}`);
    const order = await read<{
      clientOrderRef: string;
      buyerId: string;
      escrow: { id: string; providerContractId: string };
    }>(`orders get ${orderId}`);
    const out = await explained(
      orderId,
      /posting {3}66\.50 USD: released to seller {2}escrow → seller/,
    );
    expect(out).toMatch(/network {3}Resolve dispute: pay out funds, transaction confirmed/);
    const names = [
      disputeId,
      order.clientOrderRef,
      order.escrow.id,
      order.escrow.providerContractId,
    ];
    for (const name of names) expect((await type(`explain ${name}`)).out).toContain(order.buyerId);
    const hash = /[0-9a-f]{64}/.exec(out)?.[0];
    expect((await type(`explain ${hash}`)).out).toContain(orderId);
    const operation = /op_\w+/.exec(out)?.[0];
    expect((await type(`explain ${operation}`)).out).toMatch(/^operation op_\w+ {2}DONE/);
    expect((await type(`explain ${order.buyerId}`)).out).toMatch(/^user usr_/);
    await read('users create dora --email dora@example.test');
    expect((await type('explain dora@example.test')).out).toMatch(/external id +dora/);
    const log = await type('events log --limit 1 --json');
    const { eventId } = JSON.parse(log.out) as { eventId: string };
    expect((await type(`explain ${eventId}`)).out).toMatch(/^event evt_/);
  });

  test('shows the calls, states and money of a payment in order', TIMEOUT, async () => {
    const { id } = await read<Named>('trigger withdrawal.undelivered');
    const out = await explained(id, /20\.00 USD released/);
    const at = (text: string) => out.indexOf(text);
    expect(at('is WITHDRAWAL_CREATED')).toBeGreaterThan(0);
    expect(at('20.00 USD reserved')).toBeLessThan(at('to WITHDRAWAL_PENDING'));
    expect(at('20.00 USD released')).toBeGreaterThan(at('to WITHDRAWAL_PENDING'));
    const topup = await read<Named>('trigger topup.succeeded');
    await explained(topup.id, /50\.00 USD credited/);
  });

  test('exits with 4 when no record matches', TIMEOUT, async () => {
    for (const name of ['ord_00000000000000000000000000', 'unknown', 'evt_nope', 'f'.repeat(64)])
      expect(await type(`explain ${name}`), name).toMatchObject({ code: EXITS.notFound.code });
  });
});

test('lists print as tables, CSV or JSON, also of what was just canceled', TIMEOUT, async () => {
  await read('trigger order.released');
  const { out } = await type('orders list --limit 1');
  expect(out).toMatch(/^ID +STATUS +AMOUNT +TITLE +CREATED +REF\nord_/);
  const csv = await type('users list -o csv --all');
  expect(csv.out).toMatch(/^ID,STATUS,EXTERNAL ID,EMAIL,TYPE,CREATED\n(usr_.*\n)+$/);
  expect(await read<unknown[]>('users list --limit 2')).toHaveLength(2);
  expect((await type('withdrawals list --status WITHDRAWAL_CANCELED')).err).toBe(
    'No results. Check the filters, or the marketplace with `holdfast keys me`.\n',
  );
  const emil = await read<Named>('users create emil --email emil@example.test');
  await read(`users link ${emil.id}`);
  await read(`users credit ${emil.id} --amount 50.00 --reference first --yes`);
  const { id } = await read<Named>(
    `withdrawals create --user ${emil.id} --amount 20.00 --to emil@example.test`,
  );
  expect((await type(`withdrawals cancel ${id}`)).code).toBe(EXITS.usage.code);
  expect((await type(`withdrawals cancel ${id} --reason mistake --yes`)).out).toMatch(
    /WITHDRAWAL_CANCELED[\s\S]*failure +mistake/,
  );
  expect(await read<Named[]>('withdrawals list --status WITHDRAWAL_CANCELED')).toMatchObject([
    { id },
  ]);
});

test('keys can be created, rotated and revoked; each is shown once', TIMEOUT, async () => {
  const mine = await read<{ marketplaceId: string }>('keys me');
  const created = await read<Named & { key: string; marketplaceId: string }>('keys create shop');
  expect(created).toMatchObject({ marketplaceId: mine.marketplaceId, key: expect.any(String) });
  expect((await type(`explain ${created.id}`)).out).toMatch(/^API key key_\w+\n {2}name {9}shop/);
  const next = await read<Named>(`keys rotate ${created.id} --overlap 0s --yes`);
  await read(`keys revoke ${next.id} --yes`);
  const denied = await type(`--api-key ${created.key} keys me`);
  expect(denied).toMatchObject({ code: EXITS.denied.code });
  expect(denied.err).toContain(
    '→ check --api-key or HOLDFAST_API_KEY; run `holdfast doctor` for details',
  );
});

test('a marketplace can be stopped, and the stop lifted', TIMEOUT, async () => {
  const { marketplaceId } = await read<{ marketplaceId: string }>(
    'keys create stopped --new-marketplace',
  );
  const stop = await read(`stops set ${marketplaceId} money --reason doubt`);
  expect(stop).toMatchObject({ level: 'MONEY', reason: 'doubt', settledAt: expect.any(String) });
  expect((await type(`stops list ${marketplaceId}`)).out).toMatch(/^LEVEL +SINCE[^\n]+\nMONEY /);
  const lifted = await read(`stops lift ${marketplaceId} money --reason explained`);
  expect(lifted).toMatchObject({ liftReason: 'explained' });
  expect((await type(`stops set ${marketplaceId} all --reason doubt`)).code).not.toBe(0);
});

test('the log of an API server shows which acknowledged writes are lost', TIMEOUT, async () => {
  expect((await type('recover status')).out).toMatch(/^OPEN: the first history of this database/);
  const line = (writeId: string) => ({
    ...{ level: 30, time: new Date().toISOString(), role: 'api', requestId: writeId, writeId },
    ...{ method: 'POST', path: '/api/v1/orders', status: 201, actor: 'key_1', amount: '5.00' },
  });
  const lost = randomUUID();
  const text = [line(lost), { msg: 'request completed' }, line(lost)].map((each) =>
    JSON.stringify(each),
  );
  const log = join(marketplace.folder, 'api.log');
  writeFileSync(log, ['api started', ...text, 'api-1 | {"writeId":'].join('\n'));
  const checked = await type(['recover', 'log', log]);
  expect(checked.code).toBe(EXITS.failed.code);
  expect(checked.out).toMatch(/POST \/api\/v1\/orders +5\.00 [\s\S]*✗ 1 write checked, 1 lost\n$/);
  expect((await type('recover findings')).out).toContain(lost);
  expect((await type('recover open --reason settled --yes')).err).toContain('INVALID_STATE');
});

test('terms can be shown and set', TIMEOUT, async () => {
  const { marketplaceId } = await read<{ marketplaceId: string }>(
    'keys create settled --new-marketplace',
  );
  const first = await type(`terms show ${marketplaceId}`);
  expect(first.out).toMatch(/fee paid by +MARKETPLACE\n[\s\S]*debt limit +1,000\.00 USD/);
  const options = '--payin-fee user --on-reversal continue --debt-limit 0 --reason agreed';
  expect(await read(`terms set ${marketplaceId} ${options}`)).toMatchObject({
    version: 1,
    payinFee: 'USER',
    suspendOnReversal: false,
    debtLimit: '0.00',
    reason: 'agreed',
  });
  const changed = await read(`terms set ${marketplaceId} --debt-limit 9.50 --reason less`);
  expect(changed).toMatchObject({ version: 2, payinFee: 'USER', debtLimit: '9.50' });
  for (const wrong of ['', '--payin-fee neither', '--on-reversal never'])
    expect((await type(`terms set ${marketplaceId} ${wrong} --reason x`.split(/ +/))).code).toBe(
      EXITS.usage.code,
    );
});

test('a debt can be listed and written off', TIMEOUT, async () => {
  const { id } = await read<Named>('trigger topup.succeeded --amount 50.00');
  // Its record has been read, so no poll is under way that began before the reversal.
  const { userId } = await eventually(30_000, async () => {
    const topup = await read<{ userId: string }>(`topups get ${id}`);
    expect(topup).toMatchObject({ providerFee: expect.any(String) });
    return topup;
  });
  expect((await type(`debts list --user ${userId}`)).out).not.toContain(userId);
  await read(`users debit ${userId} --amount 45.00 --yes`);
  await reversePayin(marketplace.sandbox, id);
  await read(`topups refresh ${id}`);
  expect((await type(`debts list --user ${userId}`)).out).toMatch(
    /USER +OWED[^\n]+\nusr_\w+ +45\.00 +USD/,
  );
  const writeOff = `debts write-off ${userId} --amount 40.00 --reason small`;
  expect((await type(writeOff)).code).toBe(EXITS.usage.code);
  expect((await type(`${writeOff} --yes`)).out).toContain('still owed  5.00 USD');
  expect((await type(`${writeOff} --yes`)).code).toBe(EXITS.failed.code);
});

test('webhook endpoints can be created, listed, paused and deleted', TIMEOUT, async () => {
  const created = await read<Named & { secret: string }>(
    'webhooks create http://127.0.0.1:9/hook --types order.*',
  );
  expect(created.secret).toMatch(/^whsec_/);
  expect((await type('webhooks list')).out).toContain(created.id);
  expect((await type(`webhooks pause ${created.id}`)).out).toContain('PAUSED');
  expect((await type(`webhooks resume ${created.id}`)).out).toContain('ACTIVE');
  expect((await type(`webhooks deliveries ${created.id}`)).code).toBe(0);
  expect((await type(`webhooks delete ${created.id} --yes`)).code).toBe(0);
});

test('the faults and the clock of the sandbox can be controlled', TIMEOUT, async () => {
  expect(await read('fault set escrow deploy drop-after --times 2')).toEqual({
    provider: 'escrow',
    operation: 'deploy',
    kind: 'drop-after',
    times: 2,
  });
  expect(await read<unknown[]>('fault list')).toHaveLength(1);
  expect(await read('fault clear')).toEqual([]);
  expect((await type('fault set escrow deploy explode')).code).toBe(EXITS.failed.code);
  expect((await type('clock now')).out).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ, same as system time\n$/,
  );
});

test(
  'the books are verified through the API, and differ when the network does',
  TIMEOUT,
  async () => {
    const found = await type('verify books');
    expect(found, found.out).toMatchObject({ code: EXITS.ok.code });
    expect(found.out).toMatch(
      / of \d+ users checked: balances in the books match the Stellar network \(transfers in flight included\)/,
    );
    const cleo = await read<Named>('users create cleo --email cleo@example.test');
    const address = await vi.waitUntil(
      async () =>
        (await read<{ ledgerAddress: string | null }>(`users get ${cleo.id}`)).ledgerAddress,
      { timeout: 30_000 },
    );
    const response = await fetch(`${marketplace.set.ready.sandbox}/control/ledger/drift`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        address,
        asset: 'USDC',
        amount: '7',
        direction: 'more',
      }),
    });
    expect(response.status).toBe(200);
    const differing = await type('verify books');
    expect(differing, differing.out).toMatchObject({ code: EXITS.failed.code });
    expect(differing.out).toMatch(new RegExp(`✗ ${cleo.id} cleo: books`));
  },
);

test('reconciliation finds no differences', TIMEOUT, async () => {
  const { out, code } = await type('recon run --with payment_provider');
  const id = /rec_\w+/.exec(out)?.[0];
  expect((await type(`explain ${id}`)).out).toMatch(/^reconciliation run rec_\w+ {2}DONE/);
  expect(out).toMatch(
    /PROVIDER +MATCHED +DIFFERENCES +IN FLIGHT[\s\S]*✓ rec_\w+: no differences found/,
  );
  expect(code).toBe(EXITS.ok.code);
});
