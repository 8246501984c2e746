import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { Asset, Horizon, Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SANDBOX_PASSPHRASE } from './ledger/network.ts';

let folder: string;
const running: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-main-'));
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

async function start(): Promise<{ child: ChildProcess; url: string }> {
  const main = join(import.meta.dirname, 'main.ts');
  const condition = '--conditions=@holdfast/source';
  const child = spawn(process.execPath, [condition, main, '--port', '0', '--data', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, 'line')) as [string];
  return { child, url: (JSON.parse(line) as { listening: string }).listening };
}

// An acknowledged payment was stored before; any other one is there whole or not at all.
it('kill -9 in mid-run: every acknowledged payment is there once, the journal agrees', async () => {
  const first = await start();
  const keypair = Keypair.random();
  const horizon = new Horizon.Server(`${first.url}/horizon`, { allowHttp: true });
  await horizon.friendbot(keypair.publicKey()).call();
  const account = await horizon.loadAccount(keypair.publicKey());
  const confirmed: string[] = [];
  let isKilled = false;
  const destination = Keypair.master(SANDBOX_PASSPHRASE).publicKey();
  while (!isKilled) {
    const tx = new TransactionBuilder(account, {
      fee: '100',
      networkPassphrase: SANDBOX_PASSPHRASE,
    })
      .addOperation(Operation.payment({ destination, asset: Asset.native(), amount: '0.5' }))
      .setTimeout(60)
      .build();
    tx.sign(keypair);
    const sent = horizon.submitTransaction(tx, { skipMemoRequiredCheck: true });
    // Somewhere in the middle of the next ones.
    if (confirmed.length === 5) setTimeout(() => (isKilled = first.child.kill('SIGKILL')), 7);
    await sent.then(
      ({ hash }) => confirmed.push(hash),
      () => undefined,
    );
  }
  expect(confirmed.length).toBeGreaterThanOrEqual(5);

  const second = await start();
  const again = new Horizon.Server(`${second.url}/horizon`, { allowHttp: true });
  const journal = (await (await fetch(`${second.url}/control/journal`)).json()) as {
    entries: { effect: string; txHash: string; from: string }[];
  };
  const paid = journal.entries
    .filter(({ effect, from }) => effect === 'ledger.payment' && from === keypair.publicKey())
    .map(({ txHash }) => txHash);
  expect(paid).toEqual(expect.arrayContaining(confirmed));
  expect(new Set(paid).size).toBe(paid.length);
  const { balances } = await again.loadAccount(keypair.publicKey());
  const spent = paid.length * 0.50001;
  expect(Number(balances[0]?.balance)).toBeCloseTo(10_000 - spent, 5);
}, 90_000);

it('SIGTERM ends it, also while a client listens', async () => {
  const { child, url } = await start();
  const stream = await fetch(`${url}/horizon/payments`, {
    headers: { accept: 'text/event-stream' },
  });
  expect(stream.status).toBe(200);
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
  await stream.body?.cancel().catch(() => undefined);
}, 90_000);
