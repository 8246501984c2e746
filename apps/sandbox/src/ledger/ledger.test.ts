import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Asset, Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  hashOf,
  type LedgerWorld,
  openLedgerWorld,
  storeCall,
  VAULT,
} from '../testing/ledger-world.ts';
import { openWorld, type World } from '../world.ts';
import { ACCOUNTS, type Account, TOKENS } from './state.ts';

let folder: string;
let here: LedgerWorld;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  here = await openLedgerWorld(folder);
});
afterEach(async () => {
  await here.stop();
  rmSync(folder, { recursive: true });
});

/** As after a crash: the first world was never closed. */
function reopen(): World {
  return openWorld({ folder });
}

function holder(): Keypair {
  const keypair = here.openWallet();
  const trust = Operation.changeTrust({ asset: here.usdc });
  here.world.ledger.submit(here.build([keypair], [trust]).toXdr());
  return keypair;
}

function storing(source: string, stroops: number) {
  const operation = storeCall(stroops);
  if (operation.body.type !== 'invokeHostFunction') throw new Error('no call');
  const { hostFunction } = operation.body.invokeHostFunctionOp;
  if (hostFunction.type !== 'hostFunctionTypeInvokeContract') throw new Error('no call');
  const { args } = hostFunction.invokeContract;
  return here.world.ledger.buildCall({ source, contractId: VAULT, functionName: 'store', args });
}

describe('after a restart', () => {
  it('every acknowledged change is there: balances, hashes, journal, order', async () => {
    const user = holder();
    here.world.ledger.deposit(user.publicKey(), 'USDC', '12.5');
    const tx = here.build(
      [user],
      [Operation.payment({ destination: user.publicKey(), asset: Asset.native(), amount: '1' })],
    );
    await here.horizon.submitTransaction(tx);
    const { ledger } = here.world;
    const query = { account: user.publicKey(), order: 'asc', limit: 100 } as const;
    const before = ledger.archive.payments(query).map(({ token }) => token);
    const again = reopen();
    expect(again.ledger.account(user.publicKey())).toEqual(ledger.account(user.publicKey()));
    expect(again.ledger.usdcOf(user.publicKey())).toBe(125_000_000n);
    expect(again.ledger.find(hashOf(tx))).toEqual(ledger.find(hashOf(tx)));
    expect(again.journal.entries()).toEqual(here.world.journal.entries());
    expect(again.ledger.archive.payments(query).map(({ token }) => token)).toEqual(before);
    expect(again.ledger.head().number).toBeGreaterThanOrEqual(ledger.head().number);
    // The same envelope is known; its sequence is used up.
    expect(again.ledger.submit(tx.toXdr())).toMatchObject({ kind: 'included', isRepeat: true });
    again.store.close();
  });

  // A commit is one line: torn off, the whole transaction is gone, not a half of it.
  it('a commit that was torn has left nothing, neither money nor journal', () => {
    const user = holder();
    const file = join(folder, 'world.jsonl');
    const account = here.world.ledger.account(user.publicKey());
    const entries = here.world.journal.entries().length;
    const record = here.world.ledger.deposit(user.publicKey(), 'USDC', '9');
    truncateSync(file, statSync(file).size - 20);
    const again = reopen();
    expect(again.ledger.account(user.publicKey())).toEqual(account);
    expect(again.ledger.find(record.hash)).toBeUndefined();
    expect(again.journal.entries()).toHaveLength(entries);
    again.store.close();
  });
});

describe('money that the sandbox creates', () => {
  it('is a transaction like any other: hash, payment, journal', () => {
    const user = holder();
    const record = here.world.ledger.deposit(user.publicKey(), 'USDC', '7');
    expect(here.world.ledger.find(record.hash)).toBe(record);
    expect(here.world.journal.entries().at(-1)).toMatchObject({
      effect: 'ledger.payment',
      to: user.publicKey(),
      asset: 'USDC',
      amount: '7',
      txHash: record.hash,
    });
  });

  it('creates a missing account as XLM, and needs a trustline as USDC', () => {
    const { ledger } = here.world;
    const fresh = Keypair.random().publicKey();
    ledger.deposit(fresh, 'XLM', '5');
    ledger.deposit(fresh, 'XLM', '2');
    expect(ledger.account(fresh)?.balance).toBe(70_000_000n);
    expect(() => ledger.deposit(fresh, 'USDC', '1')).toThrow('op_no_trust');
    ledger.ensureAccount(fresh, { hasUsdc: true });
    ledger.deposit(fresh, 'USDC', '1');
    expect(ledger.usdcOf(fresh)).toBe(10_000_000n);
    expect(() => ledger.deposit(fresh, 'EUR', '1')).toThrow('no asset EUR');
  });
});

describe('a reset of the world', () => {
  it('removes the accounts, and the ledger numbers continue', () => {
    const user = here.openWallet();
    const before = here.world.ledger.head().number;
    here.world.store.reset();
    expect(here.world.ledger.account(user.publicKey())).toBeUndefined();
    expect(here.world.ledger.archive.payments({ order: 'asc', limit: 10 })).toEqual([]);
    expect(here.world.ledger.head().number).toBeGreaterThan(before);
    here.world.ledger.fund(user.publicKey(), '10');
    expect(here.world.ledger.account(user.publicKey())?.balance).toBe(100_000_000n);
  });
});

describe('a contract call', () => {
  it('keeps records, journal and money together or none of them', () => {
    const user = holder();
    here.world.ledger.deposit(user.publicKey(), 'USDC', '0.0000010');
    const send = (stroops: number) => {
      const { passphrase } = here.world.ledger.network;
      const tx = TransactionBuilder.fromXdr(storing(user.publicKey(), stroops), passphrase);
      tx.sign(user);
      return here.world.ledger.submit(tx.toXdr());
    };
    expect(send(11)).toMatchObject({ record: { isSuccessful: false } });
    expect(here.world.store.get('vault', 'count')).toBeUndefined();
    expect(send(4)).toMatchObject({ record: { isSuccessful: true } });
    expect(here.world.store.get('vault', 'count')).toBe(1);
    expect(here.world.ledger.usdcOf(VAULT)).toBe(4n);
    expect(here.world.ledger.usdcOf(user.publicKey())).toBe(6n);
    const again = reopen();
    expect(again.store.get('vault', 'count')).toBe(1);
    expect(again.ledger.usdcOf(VAULT)).toBe(4n);
    again.store.close();
  });
});

describe('any submitted transactions', () => {
  // Fees leave the world; nothing else does, and no balance goes below what it may.
  it('create and lose no stroop', () => {
    const { ledger } = here.world;
    const wallets = [holder(), holder(), holder()];
    for (const wallet of wallets) ledger.deposit(wallet.publicKey(), 'USDC', '5');
    const at = fc.nat({ max: 2 });
    const step = fc.record({
      from: at,
      to: at,
      isUsdc: fc.boolean(),
      stroops: fc.bigInt({ min: 1n, max: 120_000_000n }),
      isDouble: fc.boolean(),
    });
    const started = totals(here.world);
    let fees = 0n;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        for (const { from, to, isUsdc, stroops, isDouble } of steps) {
          const [source, target] = [wallets[from], wallets[to]] as [Keypair, Keypair];
          const pay = Operation.payment({
            destination: target.publicKey(),
            asset: isUsdc ? here.usdc : Asset.native(),
            amount: `${stroops / 10_000_000n}.${String(stroops % 10_000_000n).padStart(7, '0')}`,
          });
          const tx = here.build([source], isDouble ? [pay, pay] : [pay]);
          const outcome = ledger.submit(tx.toXdr());
          if (outcome.kind === 'included') fees += outcome.record.feeCharged;
        }
        const now = totals(here.world);
        expect(now.usdc).toBe(started.usdc);
        expect(now.native + fees).toBe(started.native);
        expect(now.hasNegative).toBe(false);
      }),
      { numRuns: 15 },
    );
    expect(fees).toBeGreaterThan(0n);
  });
});

function totals({ store, ledger }: World): { native: bigint; usdc: bigint; hasNegative: boolean } {
  const accounts = store.all<Account>(ACCOUNTS);
  const lines = accounts.map(
    ({ lines: { [ledger.network.usdcKey]: line } }) => line?.balance ?? 0n,
  );
  const usdc = [...lines, ...store.all<bigint>(TOKENS)];
  const sum = (parts: readonly bigint[]) => parts.reduce((total, part) => total + part, 0n);
  const all = [...usdc, ...accounts.map(({ balance }) => balance)];
  return {
    native: sum(accounts.map(({ balance }) => balance)),
    usdc: sum(usdc),
    hasNegative: all.some((each) => each < 0n),
  };
}
