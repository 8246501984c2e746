//! Reads a real sandbox: every payment and holding, and no USDC of another issuer.
import {
  Account,
  Asset,
  BASE_FEE,
  Keypair,
  Operation,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type RunningWorld, startWorld } from '../../apps/sandbox/src/start-world.ts';
import { readJournal } from './journal.ts';
import { readExternalState } from './read-external-state.ts';

let sandbox: RunningWorld;
const holder = Keypair.random();
const forger = Keypair.random();
beforeEach(async () => {
  sandbox = await startWorld();
  const { ledger } = sandbox.world;
  ledger.ensureAccount(holder.publicKey(), { xlm: '100', hasUsdc: true });
  ledger.ensureAccount(forger.publicKey(), { xlm: '100' });
  ledger.deposit(holder.publicKey(), 'USDC', '5.0512345');
});
afterEach(() => sandbox.stop());

function submit(signer: Keypair, operation: xdr.Operation): void {
  const { ledger } = sandbox.world;
  const sequence = String(ledger.account(signer.publicKey())?.sequence);
  const built = new TransactionBuilder(new Account(signer.publicKey(), sequence), {
    fee: BASE_FEE,
    networkPassphrase: ledger.network.passphrase,
  });
  const tx = built.addOperation(operation).setTimeout(60).build();
  tx.sign(signer);
  const outcome = ledger.submit(tx.toXdr());
  if (outcome.kind !== 'included' || !outcome.record.isSuccessful)
    throw new Error('it was refused');
}

const read = async (isConverged: boolean) =>
  readExternalState(sandbox.url, await readJournal(sandbox.url), isConverged);

it('reads payments and initial funding, and holdings only when idle', async () => {
  const { payments, atRest } = await read(false);
  const to = holder.publicKey();
  const got = payments.filter((payment) => payment.to === to);
  expect(got.map(({ asset, amount }) => `${amount} ${asset}`)).toEqual([
    '100.0000000 XLM',
    '5.0512345 USDC',
  ]);
  expect(atRest).toBeUndefined();
});

it('reads holdings by owner, and the deposits at the payment provider', async () => {
  const { atRest } = await read(true);
  const held = atRest?.holdings.filter(({ address }) => address === holder.publicKey());
  expect(held).toEqual([
    { address: holder.publicKey(), asset: 'USDC', amount: '5.0512345' },
    { address: holder.publicKey(), asset: 'XLM', amount: '100.0000000' },
  ]);
  expect(atRest?.provider).toEqual({ balance: '1000000.00', deposited: '1000000.00' });
});

it('counts a fee for its payer, and no USDC of another issuer', async () => {
  const forged = new Asset('USDC', forger.publicKey());
  submit(holder, Operation.changeTrust({ asset: forged }));
  submit(
    forger,
    Operation.payment({ destination: holder.publicKey(), asset: forged, amount: '99' }),
  );
  const { payments, atRest } = await read(true);
  expect(payments.filter(({ from }) => from === forger.publicKey())).toEqual([]);
  const dollars = atRest?.holdings.filter(
    ({ address, asset }) => address === holder.publicKey() && asset === 'USDC',
  );
  expect(dollars?.map(({ amount }) => amount)).toEqual(['5.0512345']);
  const fees = atRest?.fees.filter(({ address }) => address === holder.publicKey());
  expect(fees).toEqual([{ address: holder.publicKey(), stroops: BASE_FEE }]);
});
