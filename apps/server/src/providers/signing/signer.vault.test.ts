import { randomUUID } from 'node:crypto';
import { newId } from '@holdfast/kernel/ids';
import {
  Account,
  Asset,
  FeeBumpTransaction,
  Keypair,
  Memo,
  Operation,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk/base';
import { describe, expect, it } from 'vitest';
import { type StepName, useHonestSteps } from '../../testing/honest-steps.ts';
import { knowNumberBefore } from '../../testing/known-number.ts';
import { closeTimeOf, submit } from '../../testing/parties.ts';
import { replaceArg, scAddress } from '../../testing/tamper.ts';
import { useWorld } from '../../testing/use-world.ts';
import { PersistedEnvelope } from '../network/envelope.ts';
import { settleEnvelope } from '../network/settle-envelope.ts';
import { done } from '../outcome.ts';
import type { SealedWallet, StepSigning } from './signer.ts';
import { vaultSigner } from './signer.vault.ts';

const { sandbox, parties, steps, network } = useHonestSteps();

const signing = (name: StepName, changes: Partial<StepSigning> = {}): StepSigning => ({
  wallet: parties.buyer,
  step: steps[name].step,
  unsignedXdr: steps[name].xdr,
  now: network.now,
  purpose: randomUUID(),
  ...changes,
});

/** Built now: transactions sent since the steps were built have used up their sequence. */
async function signingFresh(name: StepName): Promise<StepSigning> {
  const built = await parties.adapters.escrow.build(steps[name].step);
  if (built.kind !== 'done') throw new Error(built.reason);
  const later = await closeTimeOf(parties.adapters);
  return signing(name, { unsignedXdr: built.value.xdr, now: later });
}

async function signed(request: StepSigning) {
  const outcome = await parties.signer.signStep(request);
  if (outcome.kind !== 'done') throw new Error(outcome.reason);
  return outcome.value;
}

function isSignedBy(tx: Transaction | FeeBumpTransaction, address: string): boolean {
  const [signature] = tx.signatures;
  return (
    tx.signatures.length === 1 &&
    signature !== undefined &&
    Keypair.fromPublicKey(address).verify(tx.hash(), signature.signature)
  );
}

describe('the transaction of an escrow step', () => {
  it('is signed by its wallet, for this network only', async () => {
    const envelope = await signed(signing('fund'));
    const tx = TransactionBuilder.fromXdr(envelope.xdr, sandbox.passphrase) as Transaction;
    expect(isSignedBy(tx, parties.buyer.address)).toBe(true);
    expect(envelope).toMatchObject({
      hash: Buffer.from(tx.hash()).toString('hex'),
      innerHash: null,
      source: parties.buyer.address,
      sequence: BigInt(tx.sequence),
      maxTime: Number(tx.timeBounds?.maxTime),
    });
    const elsewhere = TransactionBuilder.fromXdr(envelope.xdr, 'Test SDF Network ; September 2015');
    expect(isSignedBy(elsewhere, parties.buyer.address)).toBe(false);
  });

  it('can be carried by a wallet that pays its fee, under a hash of its own', async () => {
    const request = await signingFresh('deploy');
    const plain = await signed(request);
    const { channel } = parties;
    const carried = await signed({ ...request, feePayer: channel });
    const tx = TransactionBuilder.fromXdr(carried.xdr, sandbox.passphrase);
    expect(tx).toBeInstanceOf(FeeBumpTransaction);
    expect(isSignedBy(tx, channel.address)).toBe(true);
    expect(carried.innerHash).toBe(plain.hash);
    expect(carried.hash).not.toBe(plain.hash);
    expect(carried).toMatchObject({ source: plain.source, sequence: plain.sequence });
    const before = await parties.stroopsOf(parties.buyer.address);
    await submit(sandbox, carried.xdr);
    expect(await parties.stroopsOf(parties.buyer.address)).toBe(before);
  });

  it('shows the address of its contract before it is sent', async () => {
    const { xdr: unsignedXdr } = steps['deploy multi'];
    const expected = parties.signer.contractIdOf(unsignedXdr);
    const request = await signingFresh('deploy multi');
    const fresh = parties.signer.contractIdOf(request.unsignedXdr);
    expect(fresh).not.toBe(expected);
    const envelope = await signed({ ...request, feePayer: parties.channel });
    expect(parties.signer.contractIdOf(envelope.xdr)).toBe(fresh);
    await submit(sandbox, envelope.xdr);
    const [created] = (await sandbox.journal()).filter(({ txHash }) => txHash === envelope.hash);
    expect(created?.contractId).toBe(fresh);
    expect(parties.signer.contractIdOf(steps.fund.xdr)).toBeUndefined();
    expect(parties.signer.contractIdOf('AAAA')).toBeUndefined();
  });

  it('is not signed by the wallet of another role', async () => {
    const outcome = await parties.signer.signStep(signing('fund', { wallet: parties.seller }));
    expect(outcome).toMatchObject({ kind: 'refused', code: 'wrong-wallet' });
  });

  it('is not signed when it was tampered with, and an alarm is logged', async () => {
    const lines: unknown[][] = [];
    const log = { ...parties.settings.log, error: (...line: unknown[]) => lines.push(line) };
    const signer = vaultSigner({ ...parties.settings, log: log as never });
    const outsider = Keypair.random().publicKey();
    const unsignedXdr = replaceArg(steps.fund.xdr, [1, 'roles', 'receiver'], () =>
      scAddress(outsider),
    );
    const outcome = await signer.signStep(signing('fund', { unsignedXdr, purpose: 'op_1' }));
    expect(outcome).toMatchObject({ kind: 'refused', code: 'wrong-call' });
    expect(lines).toEqual([
      [expect.objectContaining({ purpose: 'op_1', breach: 'wrong-call' }), 'signature refused'],
    ]);
  });

  it('is not carried when that would cost more than the cap', async () => {
    const signer = vaultSigner({ ...parties.settings, maxFeeStroops: 50_100n });
    const outcome = await signer.signStep(signing('fund', { feePayer: parties.channel }));
    expect(outcome).toMatchObject({ kind: 'refused', code: 'fee' });
  });
});

describe('one envelope for one purpose', () => {
  const world = useWorld();

  it('a transaction that stands for one purpose cannot stand for another', async () => {
    const { call } = await world.market();
    const app = { ...world.worker, network: parties.adapters.network };
    const outcome = await parties.sign(steps.fund.step);
    if (outcome.kind !== 'done') throw new Error(outcome.reason);
    const envelope = outcome.value;
    await knowNumberBefore(app, call, outcome);
    const settled = await settleEnvelope(app, call, 'op_fund', async () => outcome);
    expect(settled).toMatchObject({ kind: 'done', value: { hash: envelope.hash } });
    await expect(PersistedEnvelope.persist(app, call, 'op_other', envelope)).rejects.toThrow();
    expect(await PersistedEnvelope.find(app, call, 'op_other')).toBeUndefined();
  });

  it('a purpose that has an envelope is never given a second one', async () => {
    const { call } = await world.market();
    const app = { ...world.worker, network: parties.adapters.network };
    const first = await signed(signing('approve', { feePayer: parties.channel }));
    const second = await signed(signing('dispute', { feePayer: parties.channel }));
    await knowNumberBefore(app, call, done(first));
    const stored = await PersistedEnvelope.persist(app, call, 'op_once', first);
    const again = await PersistedEnvelope.persist(app, call, 'op_once', second);
    expect([stored, again]).toEqual([
      expect.objectContaining({ hash: first.hash }),
      expect.objectContaining({ hash: first.hash }),
    ]);
  });
});

describe('a transaction of our own', () => {
  const build = async (
    operations: xdr.Operation[],
    options: { fee?: string; max?: number; memo?: Memo } = {},
  ) => {
    const { address } = parties.channel;
    const account = await parties.adapters.network.account(address);
    if (account.kind !== 'done' || account.value === null) throw new Error('there is a channel');
    const builder = new TransactionBuilder(new Account(address, String(account.value.sequence)), {
      fee: options.fee ?? '100',
      networkPassphrase: sandbox.passphrase,
      timebounds: { minTime: 0, maxTime: options.max ?? network.now + 120 },
      ...(options.memo && { memo: options.memo }),
    });
    for (const operation of operations) builder.addOperation(operation);
    return builder.build().toXdr();
  };
  const payment = (source: string) =>
    Operation.payment({
      source,
      destination: parties.seller.address,
      asset: new Asset('USDC', sandbox.usdcIssuer),
      amount: '0.0000001',
    });
  const sign = async (text: string, ...wallets: SealedWallet[]) =>
    parties.signer.signOwn(text, wallets);

  it('is signed by every wallet that acts in it, and the network takes it', async () => {
    const { buyer, channel, seller } = parties;
    const before = await parties.stroopsOf(seller.address);
    const text = await build([payment(buyer.address)]);
    const outcome = await sign(text, channel, buyer);
    if (outcome.kind !== 'done') throw new Error(outcome.reason);
    await submit(sandbox, outcome.value.xdr);
    expect(await parties.stroopsOf(seller.address)).toBe(before + 1n);
  });

  it('is refused with a wallet too few or too many', async () => {
    const { buyer, channel, seller } = parties;
    const text = await build([payment(buyer.address)]);
    for (const wallets of [[channel], [buyer], [channel, buyer, seller], []]) {
      const outcome = await sign(text, ...wallets);
      expect(outcome).toMatchObject({ kind: 'refused', code: 'wrong-source' });
    }
  });

  it('is refused when it does what we never do, costs too much or never ends', async () => {
    const { channel, buyer } = parties;
    const merge = Operation.accountMerge({ destination: Keypair.random().publicKey() });
    const options = Operation.setOptions({ masterWeight: 0 });
    for (const operation of [merge, options]) {
      const outcome = await sign(await build([operation]), channel);
      expect(outcome).toMatchObject({ kind: 'refused', code: 'operations' });
    }
    const dear = await build([payment(buyer.address)], { fee: '1000001' });
    expect(await sign(dear, channel, buyer)).toMatchObject({ kind: 'refused', code: 'fee' });
    const endless = await build([payment(buyer.address)], { max: 0 });
    expect(await sign(endless, channel, buyer)).toMatchObject({ code: 'time-bound' });
    expect(await sign('AAAA', channel)).toMatchObject({ kind: 'refused', code: 'malformed' });
  });

  it('may carry a text, and no other memo', async () => {
    const { channel, buyer } = parties;
    const carrying = async (memo: Memo) =>
      sign(await build([payment(buyer.address)], { memo }), channel, buyer);
    expect((await carrying(Memo.text('invoice 7'))).kind).toBe('done');
    for (const memo of [Memo.id('7'), Memo.hash('00'.repeat(32))])
      expect(await carrying(memo)).toMatchObject({ kind: 'refused', code: 'memo' });
  });

  it('never opens a wallet whose seal is not its own', async () => {
    const { buyer, channel } = parties;
    const text = await build([payment(buyer.address)]);
    await expect(sign(text, channel, { ...buyer, id: newId('wal', Date.now()) })).rejects.toThrow();
  });
});
