import { type Keypair, Operation } from '@stellar/stellar-sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type LedgerWorld, openLedgerWorld, VAULT } from '../testing/ledger-world.ts';

let here: LedgerWorld;
let user: Keypair;

beforeEach(async () => {
  here = await openLedgerWorld();
  user = here.openWallet();
  await here.horizon.submitTransaction(
    here.build([user], [Operation.changeTrust({ asset: here.usdc })]),
  );
  for (const amount of ['1', '2', '3', '4', '5']) deposit(amount);
});
afterEach(() => here.stop());

function deposit(amount: string): void {
  here.world.ledger.deposit(user.publicKey(), 'USDC', amount);
}

function payments() {
  return here.horizon.payments().forAccount(user.publicKey());
}

/** Listens until `count` records came. */
function listen(cursor: string, count: number): { first: Promise<void>; all: Promise<string[]> } {
  const amounts: string[] = [];
  let sawFirst = () => {};
  const first = new Promise<void>((resolve) => {
    sawFirst = resolve;
  });
  const all = new Promise<string[]>((resolve) => {
    const close = payments()
      .cursor(cursor)
      .stream({
        onmessage(record) {
          if ('amount' in record) amounts.push(`${record.amount}`);
          sawFirst();
          if (amounts.length < count) return;
          close();
          resolve(amounts);
        },
      });
  });
  return { first, all };
}

it('pages forward and back, each record once', async () => {
  const amounts = (records: readonly object[]) =>
    records.map((record) => ('amount' in record ? record.amount : 'none'));
  const first = await payments().limit(3).call();
  expect(amounts(first.records)).toEqual(['none', '1.0000000', '2.0000000']);
  const second = await first.next();
  expect(amounts(second.records)).toEqual(['3.0000000', '4.0000000', '5.0000000']);
  expect((await second.next()).records).toEqual([]);
  expect(amounts((await second.prev()).records)).toEqual(['2.0000000', '1.0000000', 'none']);
  const latest = await payments().order('desc').limit(1).call();
  expect(amounts(latest.records)).toEqual(['5.0000000']);
});

it('lists the payments of all accounts, and only its own for one account', async () => {
  const other = here.openWallet('7');
  const all = await here.horizon.payments().order('desc').limit(1).call();
  expect(all.records[0]).toMatchObject({ type: 'create_account', account: other.publicKey() });
  const own = await payments().order('desc').limit(1).call();
  expect(own.records[0]).toMatchObject({ type: 'payment', to: user.publicKey() });
});

it('a stream continues from its cursor without gap or repeat, then sends new records', async () => {
  const { records } = await payments().limit(3).call();
  const cursor = records.at(-1)?.paging_token ?? '';
  const { first, all } = listen(cursor, 5);
  await first;
  deposit('6');
  deposit('7');
  expect(await all).toEqual(['3', '4', '5', '6', '7'].map((amount) => `${amount}.0000000`));
});

it('a stream from now greets, then sends only new records with their paging tokens', async () => {
  const response = await fetch(`${here.url}/horizon/payments?cursor=now`, {
    headers: { accept: 'text/event-stream' },
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const read = async () => Buffer.from((await reader.read()).value ?? []).toString();
  expect(await read()).toContain('event: open');
  deposit('8');
  const streamed = await read();
  const [latest] = (await payments().order('desc').limit(1).call()).records;
  expect(streamed).toMatch(
    new RegExp(`^id: ${latest?.paging_token}\ndata: {.*"amount":"8.0000000"`),
  );
  await reader.cancel();
});

it('shows a contract’s receipt as a change of balances, not as a payment', async () => {
  const record = here.world.ledger.deposit(VAULT, 'USDC', '0.0000009');
  expect(here.world.ledger.usdcOf(VAULT)).toBe(9n);
  const page = await here.horizon.payments().forAccount(VAULT).call();
  expect(page.records).toMatchObject([
    {
      type: 'invoke_host_function',
      transaction_hash: record.hash,
      asset_balance_changes: [
        { type: 'transfer', to: VAULT, amount: '0.0000009', asset_code: 'USDC' },
      ],
    },
  ]);
});

it('an account’s transactions, newest first, with those that failed', async () => {
  const pay = Operation.payment({
    destination: here.openWallet().publicKey(),
    asset: here.usdc,
    amount: '1',
  });
  await expect(here.horizon.submitTransaction(here.build([user], [pay]))).rejects.toThrow();
  const page = await here.horizon
    .transactions()
    .forAccount(user.publicKey())
    .order('desc')
    .limit(2)
    .call();
  expect(page.records.map(({ successful }) => successful)).toEqual([false, true]);
});

it('says the time of the ledger, the fees, and which network it is', async () => {
  const first = here.world.ledger.head();
  const { records } = await here.horizon.ledgers().order('desc').limit(1).call();
  const closedAt = Date.parse(records[0]?.closed_at ?? '') / 1000;
  expect(closedAt).toBeGreaterThanOrEqual(first.closeTime);
  expect(closedAt).toBeLessThanOrEqual(here.world.ledger.head().closeTime);
  expect((await here.horizon.feeStats()).max_fee.mode).toBe('100');
  const root = await here.horizon.root();
  expect(root.network_passphrase).toBe('Holdfast Sandbox Network ; 2026');
});
